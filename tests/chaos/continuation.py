"""Continue interrupted answers: their text stays, and more follows."""

from collections.abc import Iterable
from random import Random
from time import monotonic

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.judge import Sent, judge
from tests.chaos.reader import Reader, new_send


async def continued(bench: Bench, run: str, sent: Iterable[Asked], chance: Random) -> list[str]:
    """Continue a few of the answers that were interrupted; return what is wrong."""
    broken = [a for a in sent if a.reader.terminal.get("state") == "interrupted"]
    found: list[str] = []
    for asked in chance.sample(broken, min(2, len(broken))):
        found += await _continue(bench, asked, run)
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
