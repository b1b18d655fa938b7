"""A person who opens pages, one after the other, for as long as something else happens."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from time import monotonic

import aiohttp

from tests.chaos.bench import Asked, Bench
from tests.chaos.reader import Visitor
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.newer_release import MARK

#: All of them extend `base.html`.
PATHS = (
    "/chat/",
    "/chat/archive/",
    "/chat/search/?q=something",
    "/settings/",
    "/settings/personalization/",
    "/settings/data/",
    "/settings/usage/",
    "/settings/devices/",
    "/personas/",
    "/personas/new/",
    "/projects/",
    "/tags/",
    "/shared/",
    "/sites/",
)
LANGUAGES = ("en", "de", "ar")


@dataclass(frozen=True, slots=True)
class Visit:
    path: str
    status: int
    began_at: float
    seconds: float  # until the page was there, with the time in which no worker listened
    is_newer: bool  # the page of the newer version (newer_release.py)
    problem: str = ""  # an answer other than 200


@dataclass
class Visits:
    """What was seen, and the `paths` from which the next is chosen."""

    paths: Sequence[str] = PATHS
    pages: list[Visit] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        return [page.problem for page in self.pages if page.problem]

    @property
    def slowest_seconds(self) -> float:
        return max((page.seconds for page in self.pages), default=0.0)

    def newer(self, since: float, until: float = float("inf")) -> list[bool]:
        """Return for each page opened after one moment and shown before another if it is newer."""
        return [
            page.is_newer
            for page in self.pages
            if page.began_at > since and page.began_at + page.seconds < until
        ]


@asynccontextmanager
async def visiting(
    bench: Bench, chance: Random, urls: Sequence[str], asked: Sequence[Asked]
) -> AsyncIterator[Visits]:
    """Open pages, and the chats of `asked`, until the end of the block.

    `urls` are of the workers, tried in turn as a proxy does: a request that one doesn't take goes to
    the next one.
    """
    visits, ended = Visits(), asyncio.Event()
    task = asyncio.create_task(_visit(bench, chance, urls, asked, visits, ended))
    try:
        yield visits
    finally:
        ended.set()
        await task


async def _visit(
    bench: Bench,
    chance: Random,
    urls: Sequence[str],
    asked: Sequence[Asked],
    visits: Visits,
    ended: asyncio.Event,
) -> None:
    while not ended.is_set():
        visitor, path = bench.visitor(chance.randrange(10)), chance.choice(visits.paths)
        begun = [each.reader for each in asked if each.reader.conversation]
        if begun and chance.random() < 0.4:
            reader = chance.choice(begun)
            visitor, path = reader.visitor, f"/chat/{reader.conversation}/"
        visits.pages.append(await opened(visitor, chance, urls, path))
        await asyncio.sleep(0.1)


async def opened(
    visitor: Visitor, chance: Random, urls: Sequence[str], path: str, data: object = None
) -> Visit:
    """Open one page, or send a form, in any language and at any worker."""
    began, turns = monotonic(), chance.sample(list(urls), len(urls))
    headers = {
        "Accept": "text/html",
        "Accept-Language": chance.choice(LANGUAGES),
        "Content-Type": "application/x-www-form-urlencoded",
    }
    method = "GET" if data is None else "POST"
    number = 0
    while monotonic() < began + PATIENCE_SECONDS:
        at = _at(turns[number % len(turns)])
        there = Visitor(visitor.http, visitor.session, at)
        request = there.request(method, path, headers=headers, data=data, allow_redirects=False)
        try:
            async with request as response:
                text = await response.text()
        except (aiohttp.ClientConnectionError, ConnectionError):
            number += 1
            await asyncio.sleep(0.1 if number % len(turns) == 0 else 0)
            continue
        what = f"{path}: {response.status} after {monotonic() - began:.1f} s, {text[:80]!r}"
        return Visit(
            path,
            response.status,
            began,
            monotonic() - began,
            MARK in text,
            "" if response.status == 200 else what,
        )
    raise RuntimeError(f"nobody answers {path}")


def _at(url: str) -> Callable[[], str]:
    return lambda: url
