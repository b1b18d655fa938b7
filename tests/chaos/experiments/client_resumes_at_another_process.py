"""One process writes answers, and reconnects reach either of two processes."""

from random import Random

from tests.chaos.bench import Bench, some_cuts
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("hops", seed)
    with bench.site.second_process():
        urls = [process.url for process in bench.site.processes]
        asked = [
            bench.ask(
                Directive(f"{name}{number}", 60, tokens_per_second=60, torn=True),
                some_cuts(chance, 60),
                person=number,
                address=lambda: chance.choice(urls),
            )
            for number in range(bench.size(10, 150))
        ]
        await bench.read_all(asked)
        complaints = bench.judged(name, asked)
    return Outcome(complaints, sum(each.reader.connections - 1 for each in asked), "resumes")
