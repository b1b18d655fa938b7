"""Measure what a judge adds before a question is sent: `python -m benchmarks.judging`.

One process answers temporary questions of a member, in turns with and without a rule that refuses
questions by verdict. The emulator judges and answers at once, so what is added is the site's own
work: checking limits, reserving the verdict's cost, asking, and settling it. A real judge adds its
own time, and that of the network.
"""

import os
import sys
import time
from contextlib import ExitStack, closing
from statistics import median

from tests.support.servers.online_member import OnlineMember
from tests.support.servers.server import running, signed_up

SMALL = os.environ.get("BENCH") == "quick"
ROUNDS = 2 if SMALL else 8
QUESTIONS = 5 if SMALL else 25  # in each round and case
JUDGE = "@cf/cloudflare/clef-flash"
REFRESH_SECONDS = 2.5  # after which a process knows a changed rule
SET_RULE = """
from chat.review.case_models import Rule
Rule.objects.update_or_create(name="Harm", defaults={{
    "kind": "verdict", "category": "harmful", "threshold": 80, "action": "refuse",
    "applies_to": "questions", "is_enabled": {is_on},
}})
"""
COUNT = f"""
from chat.quotas.models import Charge
print(Charge.objects.filter(model={JUDGE!r}).count())
"""


def first_frame_seconds(member: OnlineMember) -> float:
    began = time.perf_counter()
    with member.sending("", "Where do rivers begin?") as response:
        response.raise_for_status()
        pieces = response.iter_bytes()
        next(pieces)
        seconds = time.perf_counter() - began
        for _piece in pieces:  # the next question doesn't compete with the rest
            pass
    return seconds


def main() -> int:
    found: dict[bool, list[float]] = {False: [], True: []}
    with running(JUDGE_MODEL=JUDGE) as server, ExitStack() as stack:
        member = OnlineMember(server, stack.enter_context(closing(signed_up(server))))
        for number in range(2 * ROUNDS):
            is_judged = number % 2 == 1
            server.run(SET_RULE.format(is_on=is_judged))
            time.sleep(REFRESH_SECONDS)
            first_frame_seconds(member)
            found[is_judged] += [first_frame_seconds(member) for _ in range(QUESTIONS)]
        judged = int(server.run(COUNT))
    without, with_judge = (1000 * median(found[each]) for each in (False, True))
    print(f"time to the first token, p50 of {len(found[True])}: {without:.1f} ms without a judge,")
    print(f"{with_judge:.1f} ms with one: {with_judge / without:.2f} times, {judged} verdicts")
    return 0 if judged >= len(found[True]) else 1


if __name__ == "__main__":
    sys.exit(main())
