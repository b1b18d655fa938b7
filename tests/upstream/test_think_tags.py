"""Reasoning between `<think>` tags is separated from the answer, however the stream is split."""

import pytest

from chat.upstream.events import Reasoning, Text
from chat.upstream.think_tags import ThinkSplitter


def split(text: str, size: int) -> tuple[str, str]:
    splitter = ThinkSplitter()
    pieces = []
    for at in range(0, len(text), size):
        pieces += splitter.feed(text[at : at + size])
    pieces += splitter.finish()
    reasoning = "".join(piece.text for piece in pieces if isinstance(piece, Reasoning))
    answer = "".join(piece.text for piece in pieces if isinstance(piece, Text))
    return reasoning, answer


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think>plan</think>\n\nHi", "plan", "Hi"),
        ("plan</think>Hi <b>", "plan", "Hi <b>"),
        ("a < b </thin x</think>\n\nx </think> y", "a < b </thin x", "x </think> y"),
        ("never closed <", "never closed <", ""),
        ("<think></think>Only\n\nthis", "", "Only\n\nthis"),
    ],
)
def test_reasoning_and_answer_are_separated(
    text: str, reasoning: str, answer: str, size: int
) -> None:
    got_reasoning, got_answer = split(text, size)
    assert got_reasoning.replace(" ", "") == reasoning.replace(" ", "")
    assert got_answer == answer
