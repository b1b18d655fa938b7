"""The same send repeated (two tabs, a double click, a retried POST) makes one generation.

A second process takes part.
"""

import asyncio
import uuid
from random import Random
from time import monotonic

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome
from tests.chaos.reader import Reader


async def run(bench: Bench, seed: int) -> Outcome:
    with bench.site.second_process():
        return await _run(bench, seed)


async def _run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("repeated", seed)
    asked = [_several(bench, chance, f"{name}{n}", n) for n in range(bench.size(6, 60))]
    began = monotonic()
    await bench.read_all(asked)
    slowest = max(reader.finished_at for each in asked for reader in each.readers) - began
    complaints = bench.judged(name, asked)
    for each in asked:
        if len({reader.conversation for reader in each.readers}) != 1:
            complaints.append(f"{each.mark}: I5 one send began several conversations")
    complaints += await _afterwards(bench, asked[0])
    return Outcome([*complaints, *bench.worries()], slowest * 1000, "ms to the end")


def _several(bench: Bench, chance: Random, mark: str, person: int) -> Asked:
    """Send the same message from several tabs at once, some of which disconnect."""
    urls = [process.url for process in bench.site.processes]
    asked = bench.ask(
        Directive(mark, tokens=40, tokens_per_second=80, torn=True),
        person=person,
        address=lambda: chance.choice(urls),
    )
    first = asked.reader
    for _ in range(chance.randrange(1, 5)):
        cuts = chance.choice(([], [0], [chance.randrange(1, 40)]))
        asked.readers.append(Reader(first.visitor, first.body, cuts=iter(cuts)))
    return asked


async def _afterwards(bench: Bench, asked: Asked) -> list[str]:
    """Check that a later repetition finds the answer, and another text with the key is refused."""
    first = asked.reader
    again = await Reader(first.visitor, first.body).run()
    other = await Reader(first.visitor, {**(first.body or {}), "text": str(uuid.uuid4())}).run()
    found = []
    if again.text != first.text or again.generation_id != first.generation_id:
        found.append(f"{asked.mark}: I5 repeated after its end it is another one")
    if other.statuses != [409]:
        found.append(f"{asked.mark}: another text with the same key got {other.statuses}")
    await asyncio.sleep(0.1)
    calls = bench.upstream.calls(asked.mark)
    if (
        len(calls[asked.mark]) != 1
        or len(database.with_question(bench.site.database, asked.mark)) != 1
    ):
        found.append(f"{asked.mark}: I5 repeated after its end it was asked again")
    return found
