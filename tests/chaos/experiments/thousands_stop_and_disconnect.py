"""Thousands of stops and disconnects at every moment leave nothing behind."""

import asyncio
from random import Random
from time import monotonic

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.judge import nothing_held
from tests.chaos.outcome import Outcome
from tests.chaos.reader import BEFORE_HEADERS, Reader

AT_ONCE = 40
REST_SECONDS = 10.0
STATES = ("complete", "stopped")


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("endurance", seed)
    process = bench.site.first
    await bench.warmed_up(process)
    bench.upstream.hang_up()
    await asyncio.sleep(1.0)
    before = process.resources
    complaints = await _rounds(bench, chance, name, bench.size(150, 10_000))
    complaints += await _sends(bench, bench.new_run("after", seed), bench.size(20, 100))
    began = monotonic()
    held = await _held(bench, before)
    after = process.resources
    note = (
        f"{before.file_descriptors} -> {after.file_descriptors} descriptors,"
        f" {before.threads} -> {after.threads} threads,"
        f" {before.spare_files} -> {after.spare_files} spare database files,"
        f" {before.resident_kilobytes // 1024} -> {after.resident_kilobytes // 1024} MB"
    )
    seconds = monotonic() - began
    return Outcome([*complaints, *held, *bench.worries()], seconds * 1000, "ms to rest", [note])


async def _rounds(bench: Bench, chance: Random, name: str, count: int) -> list[str]:
    """Judge a thousand sends at a time, to limit memory."""
    found: list[str] = []
    for start in range(0, count, 1000):
        run = f"{name}{start}-"
        asked: list[Asked] = []
        places = asyncio.Semaphore(AT_ONCE)

        async def one(number: int, run: str = run, places: asyncio.Semaphore = places) -> Asked:
            async with places:
                return await _one(bench, chance, f"{run}{number}", number)

        asked = await asyncio.gather(*(one(n) for n in range(min(1000, count - start))))
        if await bench.all_ended(REST_SECONDS) is None:
            running = database.running_count(bench.site.database)
            found.append(f"I7 {running} rows still say running")
        found += bench.judged(run, [each for each in asked if each.readers], STATES)
        bench.upstream.forget(run)
    return found


async def _one(bench: Bench, chance: Random, mark: str, person: int) -> Asked:
    """Request a short answer, then stop it, disconnect or read it; drop readers that left."""
    deed = chance.choice(("leave", "leave", "stop", "stop", "stop at the end"))
    tokens = 12
    directive = Directive(mark, tokens, chance.choice((0, 100, 300)), witness=False)
    cut = chance.choice((BEFORE_HEADERS, 0, chance.randrange(1, 14)))
    asked = bench.ask(directive, [cut] if deed == "leave" else [], person, patience_seconds=20)
    if deed == "leave":
        await asked.reader.once(cut)
        asked.readers.clear()
        return asked
    last = tokens - chance.randrange(3) if deed == "stop at the end" else chance.randrange(tokens)
    clicked = asyncio.Event()

    def click(reader: Reader) -> None:
        if len(reader.arrivals) >= last or reader.finished:
            clicked.set()

    asked.reader.on_event = click
    reading = asyncio.create_task(asked.reader.run())
    await asyncio.wait(
        [reading, asyncio.create_task(clicked.wait())], return_when="FIRST_COMPLETED"
    )
    clicked.set()
    if deed == "stop at the end":
        await asyncio.sleep(chance.uniform(0, 0.01))
    if asked.reader.generation_id:
        await asked.reader.visitor.stop(asked.reader.generation_id)
    await reading
    return asked


async def _sends(bench: Bench, run: str, count: int) -> list[str]:
    """Check that sends work normally afterwards."""
    asked = [bench.ask(Directive(f"{run}{n}", 10), person=n) for n in range(count)]
    await bench.read_all(asked)
    return bench.judged(run, asked)


async def _held(bench: Bench, before: object) -> list[str]:
    """Return the resources still held after a few seconds."""
    await bench.http.close()
    bench.upstream.hang_up()
    began = monotonic()
    while True:
        running = database.running_count(bench.site.database)
        found = nothing_held(before, bench.site.first.resources, running)  # type: ignore[arg-type]
        if not found or monotonic() - began > REST_SECONDS:
            return found
        await asyncio.sleep(0.1)
