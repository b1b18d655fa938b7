"""Hundreds of streams: how long flushes and sends take, without "database is locked"."""

import asyncio
from datetime import datetime
from itertools import pairwise

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.calls import Call
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome, percentile

TOKENS_PER_SECOND = 50


async def run(bench: Bench, seed: int) -> Outcome:
    name = bench.new_run("load", seed)
    streams, seconds = bench.size(20, 300), bench.size(2, 20)
    asked = [_asked(bench, f"{name}{n}", n, seconds) for n in range(streams)]
    reading = [asyncio.create_task(_later(each, n * 0.01)) for n, each in enumerate(asked)]
    more = await _sends(bench, name, bench.size(10, 200), seconds)
    await asyncio.gather(*reading)
    complaints = bench.judged(name, [*asked, *more])
    calls = bench.upstream.calls(name)
    delays = [d for each in asked for d in _delays(each, calls[each.mark][0])]
    beats = _beats(database.page_times(bench.site.database, name))
    heads = [each.reader.headers_after_seconds * 1000 for each in more]
    notes = [
        f"{streams} streams x {TOKENS_PER_SECOND} tokens/s, {seconds} s",
        f"from flush to flush of an answer: {_spread(beats)}",
        f"a send, while they run: {_spread(heads)} to its headers",
        f"a word, from upstream to reader: {_spread(delays)}",
    ]
    return Outcome(complaints, percentile(beats, 99), "ms between flushes (p99)", notes)


def _asked(bench: Bench, mark: str, person: int, seconds: int) -> Asked:
    directive = Directive(mark, TOKENS_PER_SECOND * seconds, TOKENS_PER_SECOND, witness=False)
    return bench.ask(directive, person=person, patience_seconds=seconds * 4 + 60)


async def _later(asked: Asked, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await asked.reader.run()


async def _sends(bench: Bench, name: str, count: int, seconds: int) -> list[Asked]:
    """Send short messages, one after another, while the streams run."""
    await asyncio.sleep(seconds * 0.25)
    more: list[Asked] = []
    for number in range(count):
        asked = bench.ask(Directive(f"{name}s{number}", 3, witness=False), person=number)
        await asked.reader.run()
        more.append(asked)
        await asyncio.sleep(seconds * 0.5 / count)
    return more


def _delays(asked: Asked, call: Call) -> list[float]:
    """Return the milliseconds that each token took, for complete answers."""
    pairs = zip(call.tokens, asked.reader.arrivals, strict=False)
    return [(arrived - sent_at) * 1000 for (sent_at, _), arrived in pairs]


def _beats(times: dict[str, list[str]]) -> list[float]:
    """Return the milliseconds between the log pages of each answer."""
    return [
        (datetime.fromisoformat(after) - datetime.fromisoformat(before)).total_seconds() * 1000
        for written in times.values()
        for before, after in pairwise(written)
    ]


def _spread(values: list[float]) -> str:
    return f"p50 {percentile(values, 50):.1f}, p99 {percentile(values, 99):.1f} ms"
