"""The judge accepts correct transcripts and reports everything else."""

import json
from dataclasses import replace
from typing import Any

import pytest

from chat.database.request_threads import MAX_THREADS
from tests.chaos.calls import Call
from tests.chaos.database import Row
from tests.chaos.judge import Sent, closed_within, judge, lost_tokens, nothing_held
from tests.chaos.reader import Reader
from tests.chaos.site import Resources

WORDS = ["one ", "zwei ", "漢字 ", "🦑"]


def event(text: str) -> bytes:
    return b"data: %b\n\n" % json.dumps({"response": text}, ensure_ascii=False).encode()


def call() -> Call:
    """Return a call with events at 1, 2, 3 and 4; the third is split inside a character."""
    first, second, third, fourth = map(event, WORDS)
    writes = [(1.0, first), (2.0, second), (2.9, third[:21]), (3.0, third[21:]), (4.0, fourth)]
    return Call("m", 1, 0.5, True, 200, writes)


def reader(text: str, state: str = "complete") -> Reader:
    made = Reader(visitor=None, base_text=text)  # type: ignore[arg-type]
    made.terminal, made.generation_id = {"state": state, "length": len(text)}, "g"
    return made


def row(text: str, state: str = "complete") -> Row:
    return Row("g", state, len(text), 0, "now", "c", 1, text, "question")


def sent(**changes: Any) -> Sent:
    text = "".join(WORDS)
    right = Sent("m", "question", [reader(text)], [call()], row(text))
    return replace(right, **changes)


def test_a_correct_transcript_has_no_problems() -> None:
    assert judge(sent(), ["complete"]) == []


def test_an_interrupted_partial_answer_is_correct() -> None:
    half = {"readers": [reader("one zwei ", "interrupted")], "row": row("one zwei ", "interrupted")}
    assert judge(sent(**half), ["interrupted"]) == []


@pytest.mark.parametrize(
    ("invariant", "changes"),
    [
        ("I1", {"row": None}),
        ("I1", {"question": "another question"}),
        ("I1", {"calls": [replace(call(), witnessed=False)]}),
        ("I2", {"row": row("one 漢字 🦑")}),
        ("I2", {"row": row("one one zwei 漢字 🦑")}),
        ("I2", {"row": row("one zwei ")}),
        ("I2", {"row": replace(row("".join(WORDS)), length=3)}),
        ("I3", {"readers": [reader("one zwei ")]}),
        ("I3", {"readers": [reader("one zwei 漢字 🦑🦑")]}),
        ("I4", {"row": row("".join(WORDS), "running")}),
        ("I4", {"row": row("".join(WORDS), "stopped")}),
        ("I4", {"readers": [reader("".join(WORDS), "stopped")]}),
        ("I4", {"row": replace(row("".join(WORDS)), ended_at=None)}),
        ("I5", {"calls": [call(), call()]}),
    ],
)
def test_a_problem_is_reported(invariant: str, changes: dict[str, Any]) -> None:
    assert any(invariant in complaint for complaint in judge(sent(**changes), ["complete"]))


def test_lost_tokens_are_counted_from_the_first_missing_one() -> None:
    assert lost_tokens(call(), "one zwei ", moment=4.5) == (2, 1.5)
    assert lost_tokens(call(), "one zwei ", moment=2.95) == (0, 0.0)
    assert lost_tokens(call(), "".join(WORDS), moment=9.0) == (0, 0.0)


def test_a_connection_that_ends_late_or_never_is_reported() -> None:
    assert closed_within(replace(call(), closed_at=5.2), 5.0, 0.3) == []
    assert closed_within(replace(call(), closed_at=5.4), 5.0, 0.3)
    assert closed_within(call(), 5.0, 0.3)


def test_leftover_resources_are_reported() -> None:
    before = Resources(20, 30, 5, 100_000)
    assert nothing_held(before, before, 0) == []
    assert nothing_held(before, replace(before, file_descriptors=21), 0)
    assert nothing_held(before, replace(before, threads=before.threads + MAX_THREADS + 1), 0)
    assert nothing_held(before, replace(before, threads=6, file_descriptors=21), 0) == []
    assert nothing_held(before, before, 1)
