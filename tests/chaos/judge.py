"""The invariants: each function returns the problems it finds, as text.

I1 the question is stored before the model is asked. I2 the stored text is the beginning of what the
upstream sent. I3 what is on screen is what is stored. I4 one terminal state. I5 one upstream call
per send. I6 the upstream's connection ends soon after a stop. I7 nothing is held afterwards.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from chat.database.request_threads import MAX_THREADS
from tests.chaos.calls import Call
from tests.chaos.database import ENDED, Row
from tests.chaos.reader import Reader
from tests.chaos.site import Resources


@dataclass(frozen=True, slots=True)
class Sent:
    """One send, as seen by the client, the upstream and the database."""

    mark: str
    question: str
    readers: list[Reader]
    calls: list[Call]
    row: Row | None
    base_text: str = ""  # the text that the answer continues


def judge(sent: Sent, states: Iterable[str], calls_at_most: int = 1) -> list[str]:
    """Check invariants 1 to 5 for a send that should end in one of `states`."""
    if sent.row is None:
        # The send was refused, so no client got an answer and the upstream was not called.
        told = sent.calls or any(reader.generation_id for reader in sent.readers)
        return [f"{sent.mark}: I1 the send is not stored"] if told else []
    found = [
        *_question_kept(sent, sent.row),
        *_prefix_of_upstream(sent, sent.row),
        *(problem for reader in sent.readers for problem in _screen_is_stored(reader, sent.row)),
        *_one_terminal_state(sent, sent.row, set(states)),
        *_one_call(sent, calls_at_most),
    ]
    return [f"{sent.mark}: {problem}" for problem in found]


def _question_kept(sent: Sent, row: Row) -> list[str]:
    found = []
    if row.question != sent.question:
        found.append("I1 the question is not stored as it was sent")
    if any(call.witnessed is False for call in sent.calls):
        found.append("I1 the model was asked before the question was stored")
    return found


def _prefix_of_upstream(sent: Sent, row: Row) -> list[str]:
    if row.state not in ENDED:
        return []  # until then, the log has its text
    if not row.text.startswith(sent.base_text):
        return ["I2 the text that was to be continued is gone"]
    text = row.text[len(sent.base_text) :]
    found = []
    if not any(call.text_at_most.startswith(text) for call in sent.calls) and text:
        at = max((_common(call.text_at_most, text) for call in sent.calls), default=0)
        found.append(
            f"I2 the stored text leaves what upstream sent at {at}: {text[at : at + 40]!r}"
        )
    if row.state == "complete" and text != (sent.calls[-1].text_until() if sent.calls else ""):
        found.append(f"I2 complete, but {len(text)} code points are not all that was sent")
    if row.length != len(row.text):
        found.append(f"I2 length says {row.length}, the text has {len(row.text)}")
    return found


def _screen_is_stored(reader: Reader, row: Row) -> list[str]:
    found = [f"I3 {complaint}" for complaint in reader.complaints]
    if reader.text != row.text:
        at = _common(reader.text, row.text)
        found.append(
            f"I3 the screen leaves the stored text at {at}: {reader.text[at : at + 40]!r}"
            f" instead of {row.text[at : at + 40]!r} (done={reader.done}"
            f" statuses={reader.statuses} fetched={reader.fetched})"
        )
    if reader.terminal and reader.terminal["state"] != row.state:
        found.append(f"I4 a reader was told {reader.terminal['state']}, stored is {row.state}")
    return found


def _one_terminal_state(sent: Sent, row: Row, states: set[str]) -> list[str]:
    found = []
    if row.state not in ENDED:
        found.append(f"I4 still {row.state}")
    elif row.state not in states:
        found.append(f"I4 ended {row.state}, not {' or '.join(sorted(states))}")
    if (row.ended_at is not None) != (row.state in ENDED):
        found.append(f"I4 {row.state} with ended_at {row.ended_at}")
    told = {reader.terminal["state"] for reader in sent.readers if reader.terminal}
    if len(told) > 1:
        found.append(f"I4 readers were told different ends: {sorted(told)}")
    return found


def _one_call(sent: Sent, at_most: int) -> list[str]:
    if len(sent.calls) > at_most:
        return [f"I5 {len(sent.calls)} upstream calls for one send"]
    return []


def lost_tokens(call: Call, stored: str, moment: float) -> tuple[int, float]:
    """Return how many tokens sent by `moment` are not stored, and the age of the first of them."""
    length, lost, oldest = 0, 0, 0.0
    for at, text in call.tokens:
        length += len(text)
        if at <= moment and length > len(stored):
            oldest = oldest or moment - at
            lost += 1
    return lost, oldest


def closed_within(call: Call, since: float, limit_seconds: float) -> list[str]:
    """Check invariant 6."""
    if not call.closed_at:
        return [f"{call.mark}: I6 the upstream's connection is still open"]
    if call.closed_at - since > limit_seconds:
        took = (call.closed_at - since) * 1000
        return [f"{call.mark}: I6 the upstream's connection ended after {took:.0f} ms"]
    return []


def nothing_held(before: Resources, after: Resources, running: int) -> list[str]:
    """Check invariant 7; `before` was measured after a warm-up."""
    found = []
    # The pool of request threads grows up to its limit, and each thread keeps a connection.
    more_threads = max(0, after.threads - before.threads)
    if after.file_descriptors > before.file_descriptors + more_threads:
        found.append(
            f"I7 {after.file_descriptors} file descriptors, {before.file_descriptors} before"
        )
    if more_threads > MAX_THREADS:
        found.append(f"I7 {after.threads} threads, {before.threads} before")
    if after.spare_files > 2 * max(before.spare_files, 10):
        found.append(f"I7 {after.spare_files} open database files, {before.spare_files} before")
    if running:
        found.append(f"I7 {running} rows still say running")
    return found


def _common(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
