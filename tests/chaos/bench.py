"""What every experiment uses: the site, the upstream, clients and the judge."""

import asyncio
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from time import monotonic
from typing import TypeVar

import aiohttp

from tests.chaos import database
from tests.chaos.database import ENDED, Row
from tests.chaos.directive import Directive
from tests.chaos.judge import Sent, judge
from tests.chaos.reader import BEFORE_HEADERS, Reader, Visitor, new_send
from tests.chaos.site import Process, Site
from tests.chaos.upstream_process import Upstream

Amount = TypeVar("Amount", int, float)
_numbers = itertools.count(1)


class Scale(StrEnum):
    """How large the experiments are: a few streams each, about twenty, or a hundred and more."""

    SMALL = "small"
    MEDIUM = "medium"
    FULL = "full"


@dataclass
class Asked:
    """One send: its directive, and the reader of its answer."""

    directive: Directive
    readers: list[Reader]
    running: asyncio.Task[Reader] | None = None  # of experiments that don't read all at once

    @property
    def reader(self) -> Reader:
        return self.readers[0]

    @property
    def mark(self) -> str:
        return self.directive.mark


@dataclass
class Bench:
    site: Site
    upstream: Upstream
    http: aiohttp.ClientSession
    scale: Scale

    def size(self, small: Amount, full: Amount) -> Amount:
        """Return one of these, or their geometric mean for a medium size."""
        if self.scale is Scale.MEDIUM:
            return type(small)(round(math.sqrt(small * full), 1))
        return full if self.scale is Scale.FULL else small

    def new_run(self, name: str, seed: int) -> str:
        """Return a prefix for marks that no other run has."""
        return f"{name}-{seed}-{next(_numbers)}-"

    def visitor(
        self, person: int = 0, session: int = 0, address: Callable[[], str] | None = None
    ) -> Visitor:
        key = self.site.sessions[person % len(self.site.sessions)][session]
        return Visitor(self.http, key, address or (lambda: self.site.first.url))

    def ask(
        self,
        directive: Directive,
        cuts: Iterable[int] = (),
        person: int = 0,
        address: Callable[[], str] | None = None,
        patience_seconds: float = 60.0,
    ) -> Asked:
        """Return a send that is ready to `run`."""
        reader = Reader(
            self.visitor(person, address=address),
            new_send(directive.as_text()),
            cuts=iter(list(cuts)),
            patience_seconds=patience_seconds,
        )
        return Asked(directive, [reader])

    def ask_in_turn(self, directives: Iterable[Directive], addresses: Sequence[str]) -> list[Asked]:
        """Return sends to one of `addresses` after the other, each of another person."""
        turns = enumerate(zip(directives, itertools.cycle(addresses), strict=False))
        return [
            self.ask(directive, person=person, address=lambda address=address: address)
            for person, (directive, address) in turns
        ]

    async def read_all(self, asked: Iterable[Asked]) -> None:
        await asyncio.gather(*(reader.run() for each in asked for reader in each.readers))

    def judged(
        self,
        run: str,
        asked: Iterable[Asked],
        states: Iterable[str] = ("complete",),
        calls_at_most: int = 1,
    ) -> list[str]:
        """Return the problems with the sends of `run`, which must be exactly `asked`."""
        calls, states = self.upstream.calls(run), set(states)
        by_mark = self._rows_by_mark(run)
        found: list[str] = []
        for each in asked:
            rows = by_mark.get(each.mark, [])
            if len(rows) > 1:
                found.append(f"{each.mark}: I5 {len(rows)} generations for one send")
            row = rows[0] if rows else None
            question = each.directive.as_text()
            sent = Sent(each.mark, question, each.readers, calls.get(each.mark, []), row)
            found += judge(sent, states, calls_at_most)
        return [*found, *self.worries()]

    def worries(self) -> list[str]:
        """Return lines that must not be in the servers' logs."""
        return [
            f"server log: {line}"
            for process in self.site.processes
            for line in process.new_worries()
        ]

    def _rows_by_mark(self, run: str) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in database.with_question(self.site.database, run).values():
            mark = row.question.partition('"mark": "')[2].partition('"')[0]
            found.setdefault(mark, []).append(row)
        return found

    async def all_ended(self, seconds: float) -> float | None:
        """Return the seconds until no generation is running; None if some still are after the timeout."""
        began = monotonic()
        while monotonic() - began < seconds:
            if not database.running_count(self.site.database):
                return monotonic() - began
            await asyncio.sleep(0.02)
        return None

    async def warmed_up(self, process: Process) -> None:
        """Use every pool of the process, and close our own connections."""
        async with new_http() as http:
            bench, threads = replace(self, http=http), 0
            while threads < process.resources.threads:  # fewer on a busy machine
                threads, run = process.resources.threads, self.new_run("warm", 0)
                asked = [
                    bench.ask(Directive(f"{run}{n}", 5), person=n, address=lambda: process.url)
                    for n in range(40)
                ]
                await bench.read_all(asked)
                await asyncio.gather(*(each.reader.again().run() for each in asked))


def new_http() -> aiohttp.ClientSession:
    """Return an HTTP client for the site with any number of connections and no cookie jar."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=5),
        cookie_jar=aiohttp.DummyCookieJar(),
    )


def ended(row: Row | None) -> bool:
    return row is not None and row.state in ENDED


def some_cuts(chance: Random, events: int) -> list[int]:
    """Return positions of disconnects: during the request, at event 0 and elsewhere."""
    return [
        chance.choice((BEFORE_HEADERS, 0, 1, chance.randrange(1, events)))
        for _ in range(chance.randrange(1, 6))
    ]
