"""One member sends, stops and retries as fast as possible: the cost, and the effect on others."""

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from statistics import median
from time import monotonic

from tests.chaos.bench import Asked, Bench, Scale
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome
from tests.chaos.reader import BEFORE_HEADERS

GREEDY, AT_ONCE = 0, 12
LIMITS = {"running": 3, "requests": 600, "tokens": 30_000}
SLACK_MILLISECONDS = 50
_SET = """
from chat.accounts.models import User
from chat.quotas.models import Limit, Meter
Limit.objects.all().delete()
Meter.objects.all().delete()
user = User.objects.get(email="person0@example.org")
for measure, amount in %r.items():
    Limit.objects.create(scope="member", user=user, measure=measure, amount=amount)
"""
_USED = """
import json
from chat.accounts.models import User
from chat.quotas.models import Charge, Limit, Meter
user = User.objects.get(email="person0@example.org")
meter = Meter.objects.get(key=f"user:{user.pk}")
held = Charge.objects.filter(user=user, settled_at=None).count()
print(json.dumps([meter.tokens, meter.running, held]))
Limit.objects.all().delete()
"""


@dataclass
class Storm:
    """What the flooding member did and got."""

    marks: list[str] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    def count(self, asked: Asked) -> None:
        for status in asked.reader.statuses:
            self.statuses[status] = self.statuses.get(status, 0) + 1


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("greedy", seed)
    seconds = bench.size(3.0, 60.0)
    bench.site.first.manage("shell", "--verbosity=0", "--command", _SET % LIMITS)
    before = await _others(bench, f"{name}before", seconds / 2)
    storm, over = Storm(), asyncio.Event()
    greedy = [asyncio.create_task(_greed(bench, chance, name, storm, over)) for _ in range(AT_ONCE)]
    await asyncio.sleep(0.5)
    meanwhile = await _others(bench, f"{name}while", seconds)
    over.set()
    await asyncio.gather(*greedy)
    complaints = [] if await bench.all_ended(10) is not None else ["I7 rows still say running"]
    used, running, held = json.loads(
        bench.site.first.manage("shell", "--verbosity=0", "--command", _USED)
    )
    calls = bench.upstream.calls(f"{name}g")
    made = sum(len(call.tokens) for each in calls.values() for call in each)
    most = max((len(each) for each in calls.values()), default=0)
    if used > LIMITS["tokens"] or made > LIMITS["tokens"]:
        complaints.append(f"cost {used} by the meter, {made} by the upstream: over the limit")
    if running or held:
        complaints.append(f"the meter says {running} running, {held} charges are open")
    if not used or not storm.statuses.get(429):
        complaints.append(f"nothing was limited: {storm.statuses}")
    slower = median(meanwhile) - 2 * median(before) - SLACK_MILLISECONDS
    if bench.scale is Scale.FULL and slower > 0:  # a few seconds mean nothing on a busy machine
        complaints.append(f"others waited {slower:.0f} ms longer than twice the usual")
    notes = [
        f"{len(storm.marks)} tries in {seconds:.0f} s: {dict(sorted(storm.statuses.items()))}",
        f"tokens: at most {LIMITS['tokens']}, by the meter {used}, by the upstream {made}",
        f"others' first word, p50: {median(before):.0f} ms before, {median(meanwhile):.0f} ms while",
        f"upstream calls for one try: at most {most}",
    ]
    ratio = median(meanwhile) / max(1.0, median(before))
    return Outcome([*complaints, *bench.worries()], ratio * 100, "% of others' usual wait", notes)


async def _others(bench: Bench, name: str, seconds: float) -> list[float]:
    """Return the milliseconds to the first word for other members, who send one message at a time."""
    until, found, number = monotonic() + seconds, [], 0
    while monotonic() < until:
        number += 1
        directive = Directive(f"{name}{number}", 3, witness=False)
        asked = bench.ask(directive, person=1 + number % 6)
        began = monotonic()
        await asked.reader.run()
        if asked.reader.arrivals:
            found.append((asked.reader.arrivals[0] - began) * 1000)
        await asyncio.sleep(0.05)
    return found


async def _greed(
    bench: Bench, chance: Random, name: str, storm: Storm, over: asyncio.Event
) -> None:
    while not over.is_set():
        mark = f"{name}g{len(storm.marks)}"
        storm.marks.append(mark)
        directive = Directive(mark, chance.choice((5, 60, 400)), 200, witness=False)
        asked = bench.ask(directive, person=GREEDY, patience_seconds=5)
        deed = chance.choice(("leave", "stop", "read"))
        if deed == "leave":
            await asked.reader.once(chance.choice((BEFORE_HEADERS, 0, 3)))
        elif deed == "stop":
            await asked.reader.once(1)
            if asked.reader.generation_id:
                await asked.reader.visitor.stop(asked.reader.generation_id)
        else:
            await asked.reader.run()
        storm.count(asked)
