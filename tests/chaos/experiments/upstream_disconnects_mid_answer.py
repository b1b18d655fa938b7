"""The upstream disconnects anywhere in an answer: its text is kept, and never called complete."""

from random import Random
from time import monotonic

from tests.chaos.bench import Bench
from tests.chaos.directive import CUTS, Directive
from tests.chaos.outcome import Outcome


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("cut", seed)
    asked = [
        bench.ask(
            Directive(
                f"{name}{number}",
                tokens=40,
                tokens_per_second=chance.choice((0, 200)),
                fault=cut,
                fault_at=chance.choice((1, chance.randrange(1, 40))),
                torn=True,
            ),
            person=number,
        )
        for number, cut in enumerate(CUTS * bench.size(2, 20))
    ]
    began = monotonic()
    await bench.read_all(asked)
    complaints = bench.judged(name, asked, ["interrupted"])
    calls = bench.upstream.calls(name)
    for each in asked:
        call = calls[each.mark][0]
        if not each.reader.text.startswith(call.text_until()):
            complaints.append(f"{each.mark} ({each.directive.fault}): text that had come is lost")
        if "\ufffd" in each.reader.text:
            complaints.append(f"{each.mark} ({each.directive.fault}): I2 garbled text")
    slowest = max(each.reader.finished_at - began for each in asked)
    return Outcome(complaints, slowest * 1000, "ms to the end")
