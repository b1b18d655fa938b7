"""Find out which pages a source would read, before it is added, with a few requests."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.conversations.prompt import estimate_tokens
from chat.database import threads
from chat.documents.reader.web_page import WebPage
from chat.documents.reading import read_web_page
from chat.errors import BadRequest
from chat.fetching.fetch import Fetched
from chat.generations.billing.pricing import amount_of, usage_of
from chat.knowledge.passages import split
from chat.lib.fair_work import in_steps
from chat.website_sources import pages, robots, scope, sitemaps
from chat.website_sources.addresses import is_likely_page, normalised
from chat.website_sources.confirmation import is_confirmed, signed
from chat.website_sources.models import WebsiteSource
from chat.website_sources.reading import MAX_PAGE_BYTES, MAX_TEXT_CHARS
from chat.website_sources.requests import Crawler, NoRobots
from chat.website_sources.sources import require_own_host
from chat.website_sources.turns import HostBusy
from chat.widget_sites.origins import origin_of

SECONDS = 40.0
MAX_SITEMAPS = 4
#: For one preview: what a host may be asked of which nobody knows whose it is.
MAX_REQUESTS = 10
MAX_SHOWN = 50
HTML = {"Accept": "text/html, application/xml"}


@dataclass
class Preview:
    """What would be read. `page_count` is a lower limit if links are to be followed."""

    source: WebsiteSource
    addresses: list[str] = field(default_factory=list)
    page_count: int = 0
    left_out_count: int = 0  # by the rules of the source
    forbidden_count: int = 0  # by robots.txt
    is_over_limit: bool = False
    has_unread_sitemaps: bool = False
    passage_count: int = 0
    microdollars: int = 0
    is_confirmed: bool = False

    @property
    def shown(self) -> list[str]:
        return self.addresses[:MAX_SHOWN]

    @property
    def confirmation(self) -> str:
        """Return what tells the form that follows that the host is confirmed."""
        return signed(self.source) if self.is_confirmed else ""

    @property
    def dollars(self) -> float:
        return self.microdollars / 1_000_000

    @property
    def more_count(self) -> int:
        return max(0, self.page_count - MAX_SHOWN)


async def preview(source: WebsiteSource) -> Preview:
    """Return what a source would read. Raise `BadRequest` if its address can't be read.

    The source gets the address that its own one redirects to, and the sitemaps that were found.
    """
    try:
        async with asyncio.timeout(SECONDS):
            return await _Finder(source).find()
    except TimeoutError:
        words = _("No response within {seconds} seconds.")
        raise BadRequest(words.format(seconds=round(SECONDS))) from None
    except NoRobots:
        words = _(
            "This website doesn't answer, or its robots.txt has an error. Nothing is read until "
            "that works."
        )
        raise BadRequest(words) from None
    except HostBusy:
        words = _("This website can't be asked right now. Try again in a few minutes.")
        raise BadRequest(words) from None


class _Finder:
    def __init__(self, source: WebsiteSource) -> None:
        self._source = source
        self._crawler = Crawler(source, is_awaited=True)
        self._rules = ""
        self._delay_seconds = robots.LEAST_DELAY_SECONDS
        self._found = Preview(source)
        self._unread = 0  # sitemaps

    async def find(self) -> Preview:
        source = self._source
        source.address = normalised(source.address)
        require_own_host(source.site, source.address)
        self._rules = await self._crawler.robots_of(source.address)
        self._delay_seconds = robots.delay_seconds(self._rules)
        if not robots.may_fetch(self._rules, source.address):
            raise BadRequest(_("The website's robots.txt doesn't allow reading this address."))
        fetched = await self._get(source.address)
        listed: dict[str, str] = {}
        sample = WebPage()
        if sitemap := await asyncio.to_thread(sitemaps.read, fetched.body):
            source.sitemaps = [source.address]
            listed = await self._entries(sitemap)
        else:
            sample = await self._page(fetched)
            if source.kind == source.Kind.SITE:
                listed = await self._from_sitemaps()
        await asyncio.to_thread(self._choose, listed or self._linked(sample))
        if not sample.text and self._found.addresses and self._may_ask:
            sample = await self._page(await self._get(self._found.addresses[0]))
        return await self._with_estimates(sample)

    async def _get(self, address: str) -> Fetched:
        fetched = await self._crawler.follow(
            address, self._delay_seconds, MAX_PAGE_BYTES, HTML, self._rules
        )
        if fetched.status >= 300:
            words = _("{url} returned error {status}.")
            raise BadRequest(words.format(url=fetched.url, status=fetched.status))
        if address == self._source.address:
            self._source.address = normalised(fetched.url)
        return fetched

    @property
    def _may_ask(self) -> bool:
        return self._crawler.sent_requests < MAX_REQUESTS

    async def _page(self, fetched: Fetched) -> WebPage:
        charset = fetched.value("content-type").lower().partition("charset=")[2]
        reader = f"preview:{self._source.site.owner_id}"
        page = await read_web_page(fetched.body, charset, MAX_TEXT_CHARS, reader)
        if origin_of(fetched.url) != origin_of(self._source.address):
            page.sites = []  # they say nothing about the source's host
        return page

    async def _from_sitemaps(self) -> dict[str, str]:
        """Read the sitemaps that robots.txt names, or else the one where most are."""
        origin = origin_of(self._source.address)
        named = [normalised(each) for each in robots.sitemaps_of(self._rules)]
        own = [each for each in dict.fromkeys(named) if origin_of(each) == origin]
        listed: dict[str, str] = {}
        for address in (own or [f"{origin}/sitemap.xml"])[:MAX_SITEMAPS]:
            if sitemap := await self._sitemap(address):
                self._source.sitemaps.append(address)
                listed |= await self._entries(sitemap)
        self._unread += max(0, len(own) - MAX_SITEMAPS)
        return listed

    async def _sitemap(self, address: str) -> sitemaps.Sitemap | None:
        if not self._may_ask:
            self._unread += 1
            return None
        try:
            fetched = await self._crawler.follow(
                address,
                self._delay_seconds,
                sitemaps.MAX_BYTES,
                {"Accept": "application/xml"},
                self._rules,
            )
        except BadRequest:
            return None
        return (
            await asyncio.to_thread(sitemaps.read, fetched.body) if fetched.status == 200 else None
        )

    async def _entries(self, sitemap: sitemaps.Sitemap) -> dict[str, str]:
        if not sitemap.is_index:
            return sitemap.entries
        listed: dict[str, str] = {}
        origin = origin_of(self._source.address)
        known = (normalised(each) for each in islice(sitemap.entries, pages.MAX_CANDIDATES))
        addresses = [each for each in known if origin_of(each) == origin]
        for address in addresses[:MAX_SITEMAPS]:
            nested = await self._sitemap(address)
            listed |= nested.entries if nested and not nested.is_index else {}
        self._unread += max(0, len(addresses) - MAX_SITEMAPS)
        return listed

    def _linked(self, sample: WebPage) -> list[str]:
        source = self._source
        if source.kind == source.Kind.PAGE or source.sitemaps:
            return [source.address]
        base = normalised(sample.base, source.address) or source.address
        links = (normalised(each, base) for each in sample.links)
        return [source.address, *(each for each in links if each and is_likely_page(each))]

    def _choose(self, addresses: Iterable[str]) -> None:
        found, origin = self._found, origin_of(self._source.address)
        looked_at = islice(addresses, pages.MAX_CANDIDATES)
        unique = dict.fromkeys(normalised(each) for each in looked_at)
        own = [each for each in unique if each.startswith(f"{origin}/")]
        chosen = scope.inside(self._source, own)
        allowed = [each for each in chosen if robots.may_fetch(self._rules, each)]
        found.left_out_count = len(own) - len(chosen)
        found.forbidden_count = len(chosen) - len(allowed)
        found.addresses, found.page_count = allowed, len(allowed)
        found.has_unread_sitemaps = self._unread > 0

    async def _with_estimates(self, sample: WebPage) -> Preview:
        found = self._found
        found.is_confirmed = self._source.site.key in sample.sites or await threads.readers.run(
            is_confirmed, self._source
        )
        if found.is_confirmed:
            self._source.confirmed_at = timezone.now()
        room = await threads.readers.run(pages.room_for_pages, self._source)
        found.is_over_limit = found.page_count > room
        count = min(found.page_count, room)
        passages = await in_steps(f"user:{self._source.site.owner_id}", split(sample.text))
        found.passage_count = count * max(1, len(passages))
        tokens = count * estimate_tokens(sample.text)
        model = settings.EMBEDDING_MODELS.get(settings.KNOWLEDGE_EMBEDDING_MODEL)
        if model:
            found.microdollars = amount_of(model, usage_of(tokens, 0)).microdollars
        return found
