"""Send the requests of a crawl: each in the turn of its host, as its robots.txt allows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx
from django.utils import timezone

from chat.database import threads
from chat.errors import BadRequest
from chat.fetching.fetch import Fetched, get, refusals
from chat.website_sources import robots
from chat.website_sources.models import CrawlTurn, WebsiteSource
from chat.website_sources.turns import HostBusy, HostTurn, turn_of
from chat.widget_sites.origins import matches, origin_of

SECONDS = 20.0
#: Until robots.txt is fetched again; sooner if it couldn't be.
ROBOTS_HOURS = 4
ROBOTS_RETRY_SECONDS = 600.0
MAX_REDIRECTS = 3
#: While nobody has confirmed that the host is the member's: as often as pages can be checked.
UNCONFIRMED_SECONDS = 6.0
TOO_MANY, UNAVAILABLE = 429, 503
FIRST_ERROR = 500


class NoRobots(HostBusy):
    """The host doesn't say what it allows, so nothing is read."""


class Crawler:
    """Who asks: a source, which may be one that isn't stored yet."""

    def __init__(self, source: WebsiteSource, *, is_awaited: bool = False) -> None:
        """Somebody waits for a preview, which has limits of its own."""
        self.source = source
        self._is_awaited = is_awaited
        self._is_slow = not (source.confirmed_at or is_awaited)
        self.sent_requests = 0

    async def robots_of(self, address: str) -> str:
        """Return the robots.txt of the address's host. Raise `HostBusy` if it can't be known now.

        A host that answers with an error of its own allows nothing, until it has one.
        """
        origin = origin_of(address)
        host = host_of(address)
        row = await threads.readers.run(CrawlTurn.objects.filter(name=host).first)
        if row is None or not self._knows(row, origin):
            status, text = await self._fetch_robots(origin)
            row = await threads.writer.run(_store_robots, host, origin, status, text)
        if is_unusable(row.robots_status):
            raise NoRobots(ROBOTS_RETRY_SECONDS)
        return row.robots

    async def get(
        self, address: str, delay_seconds: float, most_bytes: int, headers: dict[str, str]
    ) -> Fetched:
        """Ask for one address. Raise `BadRequest`, or `HostBusy` if the host wants to rest."""
        headers = {"User-Agent": robots.user_agent(), "Accept-Encoding": "gzip", **headers}
        self.sent_requests += 1
        async with self._turn(address, delay_seconds) as turn:
            try:
                async with refusals(SECONDS):
                    fetched = await get(httpx.URL(address), headers, SECONDS, most_bytes)
            except BadRequest:
                turn.has_failed = True
                raise
            turn.has_failed = fetched.status >= FIRST_ERROR
            if fetched.status in {TOO_MANY, UNAVAILABLE}:
                turn.back_off(retry_after_seconds(fetched.value("retry-after")))
        return fetched

    async def follow(
        self,
        address: str,
        delay_seconds: float,
        most_bytes: int,
        headers: dict[str, str],
        rules: str = "",
    ) -> Fetched:
        """Ask for an address and follow redirects within the website's hosts, as `rules` allow."""
        for _each in range(MAX_REDIRECTS + 1):
            fetched = await self.get(address, delay_seconds, most_bytes, headers)
            is_own = matches(origin_of(fetched.redirect), self.source.site.origins)
            if not is_own or not robots.may_fetch(rules, fetched.redirect):
                break
            address = fetched.redirect
        return fetched

    @asynccontextmanager
    async def _turn(self, address: str, seconds: float) -> AsyncIterator[HostTurn]:
        host = host_of(address)
        if not self._is_slow:
            async with turn_of(host, seconds) as turn:
                yield turn
            return
        async with (
            turn_of(f"member {self.source.site.owner_id}", UNCONFIRMED_SECONDS),
            turn_of(host, seconds) as turn,
        ):
            yield turn

    def _knows(self, row: CrawlTurn, origin: str) -> bool:
        """Return whether a robots.txt needs no request. Somebody who waits is told what is now."""
        return _is_fresh(row, origin) and not (self._is_awaited and is_unusable(row.robots_status))

    async def _fetch_robots(self, origin: str) -> tuple[int, str]:
        address = f"{origin}/robots.txt"
        accept = {"Accept": "text/plain"}
        try:
            fetched = await self.follow(
                address, robots.LEAST_DELAY_SECONDS, robots.MAX_BYTES, accept
            )
        except BadRequest:
            return 0, ""
        if fetched.status != 200:
            return fetched.status, ""
        return fetched.status, await asyncio.to_thread(robots.own_part, fetched.text)


def retry_after_seconds(value: str) -> float:
    """Return what the header asks for, in seconds or as a date; 0 for nothing."""
    try:
        if value.strip().isdigit():
            return float(value.strip()[:9])
        return (parsedate_to_datetime(value) - timezone.now()).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _is_fresh(row: CrawlTurn, origin: str) -> bool:
    if row.robots_at is None or row.robots_origin != origin:
        return False
    is_short = is_unusable(row.robots_status)
    kept = timedelta(seconds=ROBOTS_RETRY_SECONDS) if is_short else timedelta(hours=ROBOTS_HOURS)
    return timezone.now() - row.robots_at < kept


def host_of(address: str) -> str:
    """Return by what name a host takes turns: with its port, if that isn't the usual one."""
    return urlsplit(address).netloc


def is_unusable(status: int) -> bool:
    """Return whether a robots.txt with this status says nothing, so that nothing may be read."""
    return status == 0 or status == TOO_MANY or status >= FIRST_ERROR


def _store_robots(host: str, origin: str, status: int, text: str) -> CrawlTurn:
    row, _is_new = CrawlTurn.objects.update_or_create(
        name=host,
        defaults={
            "robots_origin": origin,
            "robots": text.replace("\x00", ""),
            "robots_status": status,
            "robots_at": timezone.now(),
        },
    )
    return row
