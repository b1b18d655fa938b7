"""Reasoning between tags is separated from the answer, however the stream is split."""

import json

import pytest

from chat.upstream.events import Reasoning, Text
from chat.upstream.think_tags import TAGS, ThinkSplitter
from tests.support.upstream.captured_streams import outcome

SIZES = pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
QUOTED = (
    "Models put thoughts in `<think>` and `</think>`:\n\n```xml\n<think>\na\n</think>\n```\nDone."
)


def split(
    text: str, size: int, *, starts_open: bool = False, has_ended: bool = True
) -> tuple[str, str]:
    splitter = ThinkSplitter(starts_open=starts_open)
    pieces = []
    for at in range(0, len(text), size):
        pieces += splitter.feed(text[at : at + size])
    pieces += splitter.finish(has_ended=has_ended)
    assert all(piece.text for piece in pieces)
    reasoning = "".join(piece.text for piece in pieces if isinstance(piece, Reasoning))
    answer = "".join(piece.text for piece in pieces if isinstance(piece, Text))
    return reasoning, answer


@SIZES
@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think>plan</think>\n\nHi", "plan", "Hi"),
        (" \n<think>\na\n\nb\n</think>\nHi", "a\n\nb", "Hi"),
        ("<think></think>Only\n\nthis", "", "Only\n\nthis"),
        ("<think>a</think>\n<thinking>b</thinking>\n\nHi", "ab", "Hi"),
        ("<think>a</think>Hi <think>b</think>", "a", "Hi <think>b</think>"),
        ("<think>close it with `</think>`, or\n\"</think>\"</think>Hi", None, "Hi"),
        ("<think>as in\n```xml\n</think>\n```\nyes</think>Hi", None, "Hi"),
        ("<think>I say \"Hi\"</think>Hi", 'I say "Hi"', "Hi"),
        ("<think>`odd</think>Hi", "`odd</think>Hi", "Hi"),
        ("<think>\n```python\nx\n</think>\n\nHi", None, "Hi"),
        ("<thin", "", "<thin"),
        ("  <thought", "", "  <thought"),
        ("\n\nplain", "", "\n\nplain"),
        ("", "", ""),
        ("[1, 2]", "", "[1, 2]"),
        ("Use <think> and </think>.", "", "Use <think> and </think>."),
        ("`<think>` begins", "", "`<think>` begins"),
    ],
)  # fmt: skip
def test_only_a_tag_at_the_beginning_opens_reasoning(
    text: str, reasoning: str | None, answer: str, size: int
) -> None:
    got_reasoning, got_answer = split(text, size)
    assert got_answer == answer
    assert reasoning in {None, got_reasoning}


@pytest.mark.parametrize("opening", TAGS)
def test_each_spelling_is_known(opening: str) -> None:
    assert split(f"{opening}plan{TAGS[opening]}Hi", 1) == ("plan", "Hi")
    assert split(f"Say {opening}.", 1) == ("", f"Say {opening}.")


@SIZES
@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("plan</think>Hi <b>", "plan", "Hi <b>"),
        ("<think>plan</think>Hi", "plan", "Hi"),
        ("<think>\nplan</think>\n\nHi", "plan", "Hi"),
        ("a < b </thin x</think>\n\nx </think> y", "a < b </thin x", "x </think> y"),
        ("[THINK]plan[/THINK]Hi", "plan", "Hi"),
    ],
)
def test_the_opening_tag_may_be_missing(text: str, reasoning: str, answer: str, size: int) -> None:
    assert split(text, size, starts_open=True) == (reasoning, answer)


@SIZES
def test_reasoning_that_was_cut_is_no_answer(size: int) -> None:
    for starts_open, text in ((True, "never closed <"), (False, "<think>never closed <")):
        found = split(text, size, starts_open=starts_open, has_ended=False)
        assert found == ("never closed <", "")


@SIZES
def test_an_answer_without_reasoning_is_not_lost(size: int) -> None:
    assert split(QUOTED, size) == ("", QUOTED)
    assert split(QUOTED, size, starts_open=True) == (QUOTED, QUOTED)


@SIZES
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>\nIt is 4.\n", "It is 4."),
        ("<think>a</think>\n<think>It is 4.", "It is 4."),
        ("<think> \n", ""),
    ],
)
def test_reasoning_that_the_model_never_closed_is_the_answer_too(
    text: str, answer: str, size: int
) -> None:
    reasoning, found = split(text, size)
    assert (found, answer in reasoning) == (answer, True)


@pytest.mark.parametrize(
    ("reason", "answer"), [("stop", "It is 4."), ("length", ""), ("tool_calls", "")]
)
def test_only_an_answer_that_ended_by_itself_is_taken_from_reasoning(
    reason: str, answer: str
) -> None:
    call = {"index": 0, "function": {"name": "look_up", "arguments": "{}"}}
    calls = {"tool_calls": [call]} if reason == "tool_calls" else {}
    delta = {"content": "<think>It is 4.", **calls}
    chunk = {"choices": [{"delta": delta, "finish_reason": reason}]}
    found = outcome([f"data: {json.dumps(chunk)}\n\n".encode()])
    assert ("".join(found["deltas"]), "".join(found["reasoning"])) == (answer, "It is 4.")
