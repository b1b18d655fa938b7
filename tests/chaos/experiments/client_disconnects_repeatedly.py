"""All clients disconnect repeatedly, even before the first event."""

from random import Random

from tests.chaos.bench import Bench, some_cuts
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome


async def run(bench: Bench, seed: int) -> Outcome:
    chance, run = Random(seed), bench.new_run("disconnects", seed)
    asked = []
    for number in range(bench.size(12, 200)):
        directive = Directive(
            f"{run}{number}",
            tokens=chance.randrange(1, 80),
            tokens_per_second=chance.choice((0, 40, 80)),
            torn=True,
        )
        asked.append(bench.ask(directive, some_cuts(chance, 60), person=number))
    await bench.read_all(asked)
    complaints = bench.judged(run, asked)
    resumes = sum(each.reader.connections - 1 for each in asked)
    return Outcome(complaints, resumes, "resumes")
