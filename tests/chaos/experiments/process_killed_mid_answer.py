"""SIGKILL during answers: text that arrived 250 ms before is stored, and users can continue."""

import signal
from random import Random
from time import monotonic

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.crash import STATES, Crash, crash
from tests.chaos.judge import Sent, judge
from tests.chaos.outcome import Outcome
from tests.chaos.reader import Reader, new_send

WINDOW_SECONDS = 0.25
BUSY_WINDOW_SECONDS = 1.5  # next to other tests, a process may not get the CPU for as long


async def run(bench: Bench, seed: int) -> Outcome:
    made = await crash(bench, "killed", seed, signal.SIGKILL)
    lost, oldest = made.lost(bench.size(BUSY_WINDOW_SECONDS, WINDOW_SECONDS))
    complaints = made.complaints + bench.judged(made.run, made.asked, STATES)
    fetched = sum(each.reader.fetched for each in made.asked)
    complaints += await _continued(made, Random(seed))
    restart = (made.terminal_seconds or 0.0) * 1000
    note = f"{lost} tokens lost; {fetched} took the stored text; all ended {restart:.0f} ms on"
    return Outcome(complaints, oldest * 1000, "ms lost", [note])


async def _continued(made: Crash, chance: Random) -> list[str]:
    """Continue a few interrupted answers: their text stays, and more follows."""
    broken = [a for a in made.asked if a.reader.terminal.get("state") == "interrupted"]
    found: list[str] = []
    for asked in chance.sample(broken, min(2, len(broken))):
        found += await _continue(made.bench, asked, made.run)
    return found


async def _continue(bench: Bench, asked: Asked, run: str) -> list[str]:
    before = asked.reader
    body = {"key": new_send("")["key"], "resume": int(before.message_id)}
    after = Reader(before.visitor, body, before.conversation, base_text=before.text)
    began = monotonic()
    await after.run()
    # The first process may have died before it called the upstream.
    calls = [call for call in bench.upstream.calls(run)[asked.mark] if call.began_at > began]
    row = database.rows(bench.site.database, [after.generation_id]).get(
        after.generation_id.replace("-", "")
    )
    question = asked.directive.as_text()
    sent = Sent(f"{asked.mark} continued", question, [after], calls, row, before.text)
    return judge(sent, ["complete"])
