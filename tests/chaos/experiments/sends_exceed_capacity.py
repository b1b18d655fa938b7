"""More sends than the process accepts: the rest is refused at once, and running answers continue."""

import asyncio
from time import monotonic

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome, percentile

TOKENS_PER_SECOND = 10
AT_ONCE = 50


async def run(bench: Bench, seed: int) -> Outcome:
    name = bench.new_run("overload", seed)
    most, seconds, surplus = bench.size(10, 100), bench.size(2, 30), bench.size(30, 300)
    with bench.site.changed(MAX_RUNNING_ANSWERS=str(most)) as process:
        await bench.warmed_up(process)
        running = [_asked(bench, f"{name}r{n}", n, seconds) for n in range(most)]
        reading = asyncio.create_task(bench.read_all(running))
        while not all(each.reader.generation_id for each in running):
            await asyncio.sleep(0.01)
        turned_away = await _burst(bench, name, surplus)
        lived = running[0].reader.terminal == {}
        complaints = await _still_possible(bench, running[-1])
        await reading
        after = bench.ask(Directive(f"{name}after", 5), patience_seconds=20)
        await after.reader.run()
        complaints += bench.judged(name, [*running[:-1], *turned_away, after])
        complaints += bench.judged(running[-1].mark, running[-1:], ("stopped", "complete"))
    if not lived:
        return Outcome(["the answers were over too soon to say anything"], 0, "ms to a refusal")
    complaints += [
        f"{each.mark}: {each.reader.statuses} {each.reader.error} instead of busy"
        for each in turned_away
        if each.reader.statuses != [503] or each.reader.error.get("code") != "overloaded"
    ]
    waits = [each.reader.headers_after_seconds * 1000 for each in turned_away]
    p50, p99 = percentile(waits, 50), percentile(waits, 99)
    note = f"{most} answers ran on; {surplus} sends, {AT_ONCE} at once, were refused in {p50:.0f} ms (p50)"
    return Outcome(complaints, p99, "ms to a refusal (p99)", [note])


def _asked(bench: Bench, mark: str, person: int, seconds: float) -> Asked:
    tokens = int(TOKENS_PER_SECOND * seconds)
    directive = Directive(mark, tokens, TOKENS_PER_SECOND, witness=False)
    return bench.ask(directive, person=person, patience_seconds=seconds * 4 + 60)


async def _burst(bench: Bench, name: str, count: int) -> list[Asked]:
    places = asyncio.Semaphore(AT_ONCE)
    asked = [bench.ask(Directive(f"{name}s{n}", 5), person=n) for n in range(count)]

    async def one(each: Asked) -> None:
        async with places:
            await each.reader.once()

    await asyncio.gather(*(one(each) for each in asked))
    return asked


async def _still_possible(bench: Bench, asked: Asked) -> list[str]:
    """Check that pages open, and that an answer can be read from its beginning and stopped."""
    visitor, found = asked.reader.visitor, []
    began = monotonic()
    page = f"/chat/{asked.reader.conversation}/messages/{asked.reader.message_id}"
    async with visitor.request("GET", page) as response:
        if response.status != 200:
            found.append(f"a page answers {response.status} under load")
    path = f"/generations/{asked.reader.generation_id}/stream"
    async with visitor.request("GET", path) as response:
        if response.status != 200 or not await response.content.readany():
            found.append(f"an answer cannot be taken up again: {response.status}")
    if await visitor.stop(asked.reader.generation_id) != 200:
        found.append("an answer cannot be stopped")
    if monotonic() - began > 20:
        found.append("all that took longer than twenty seconds")
    return found
