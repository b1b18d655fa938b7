"""The upstream refuses or fails: retried only where that costs nothing, and explained clearly.

Once the day's allocation is spent, nobody is asked any more: that comes last, and is ended again.
"""

from dataclasses import dataclass
from random import Random

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Case:
    fault: str
    times: int  # 0: always
    fault_at: int
    state: str
    calls: tuple[int, ...]  # how many calls are allowed
    code: str = ""


CASES = (
    Case("capacity", 1, 0, "complete", (2,)),
    Case("capacity", 0, 0, "failed", (1, 2, 3), "out_of_capacity"),
    Case("html", 1, 0, "complete", (2,)),
    Case("html", 0, 0, "failed", (1, 2, 3)),
    Case("error_event", 0, 0, "failed", (1, 2, 3)),
    Case("error_event", 0, 7, "interrupted", (1,)),
)
SPENT = Case("allocation", 0, 0, "failed", (1,), "allocation_exhausted")
_END_PAUSE = "from chat.quotas.models import UpstreamPause; UpstreamPause.objects.all().delete()"


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("errors", seed)
    cases = list(CASES * bench.size(1, 6))
    chance.shuffle(cases)
    asked = [
        bench.ask(
            Directive(
                f"{name}{number}", 20, fault=case.fault, fault_at=case.fault_at, times=case.times
            ),
            person=number,
        )
        for number, case in enumerate(cases)
    ]
    await bench.read_all(asked)
    complaints: list[str] = []
    calls = bench.upstream.calls(name)
    for each, case in zip(asked, cases, strict=True):
        complaints += _judged(each, case, len(calls.get(each.mark, [])))
    for state in ("complete", "failed", "interrupted"):
        some = [a for a, case in zip(asked, cases, strict=True) if case.state == state]
        complaints += bench.judged(name, some, [state], calls_at_most=3)
    complaints += await _spent(bench, f"{name}spent")
    return Outcome(complaints, max(len(each) for each in calls.values()), "calls for one send")


async def _spent(bench: Bench, name: str) -> list[str]:
    """Check the send that gets the error, one refused during the pause, and one after it."""
    first = bench.ask(Directive(f"{name}-first", 20, fault=SPENT.fault))
    await bench.read_all([first])
    refused = bench.ask(Directive(f"{name}-refused", 20), person=1)
    await bench.read_all([refused])
    bench.site.first.manage("shell", "--verbosity=0", "--command", _END_PAUSE)
    later = bench.ask(Directive(f"{name}-later", 20))
    await bench.read_all([later])
    calls = bench.upstream.calls(name)
    complaints = _judged(first, SPENT, len(calls.get(first.mark, [])))
    if refused.mark in calls or refused.reader.statuses != [503]:
        complaints.append(f"{refused.mark}: {refused.reader.statuses} during the pause")
    complaints += bench.judged(first.mark, [first], ["failed"])
    return complaints + bench.judged(later.mark, [later])


def _judged(asked: Asked, case: Case, calls: int) -> list[str]:
    error, found = asked.reader.error, []
    if calls not in case.calls:
        found.append(f"I5 {calls} calls")
    if case.state != "complete":
        words = str(error.get("message", ""))
        if not words or "<" in words or "AiError" in words:
            found.append(f"these words are for nobody: {words!r}")
        if case.code and error.get("code") != case.code:
            found.append(f"the code is {error.get('code')}")
    where = f"{case.fault} at {case.fault_at}, {case.times or 'every'} times"
    return [f"{asked.mark} ({where}): {problem}" for problem in found]
