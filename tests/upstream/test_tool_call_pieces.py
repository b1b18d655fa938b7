"""Tool calls are the same in whatever pieces a provider sends them."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.upstream.decoding.tool_calls import ToolCalls
from chat.upstream.events import ToolCallPiece
from tests.support.upstream.tool_call_dialects import Calls, call_stream, part
from tests.support.variants import examples

BERN, ROME = '{"city":"Bern"}', '{"city": "Rome"}'


def assembled(*chunks: Any) -> Calls:
    """Return names and arguments of the calls; check that what was relayed is the same."""
    tools = ToolCalls()
    pieces = [piece for each in chunks for piece in tools.add(msgspec.Raw(json.dumps(each)))]
    calls = tools.calls()
    assert {call.index: (call.name, call.arguments) for call in calls} == relayed(pieces)
    return [(call.name, call.arguments) for call in calls]


def relayed(pieces: list[ToolCallPiece]) -> dict[int, tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    for piece in pieces:
        assert bool(piece.name) == (piece.index not in found)
        name, arguments = found.get(piece.index, (piece.name, ""))
        found[piece.index] = name, arguments + piece.arguments
    return found


ONE, TWO = [("weather", BERN)], [("weather", BERN), ("weather", ROME)]
SHAPES: dict[str, tuple[Calls, list[Any]]] = {
    "no index, and the id in each piece": (
        ONE,
        [[part("", "weather", id="a")], [part(BERN[:5], id="a")], [part(BERN[5:], id="a")]],
    ),
    "index 0 for all": (
        TWO,
        [[part(BERN, "weather", id="a", index=0)], [part(ROME, "weather", id="b", index=0)]],
    ),
    "index 0 for all, without ids": (
        TWO,
        [[part(BERN, "weather", index=0)], [part(ROME, "weather", index=0)]],
    ),
    "index 0 for all, and pieces that alternate": (
        TWO,
        [
            [part(BERN[:4], "weather", id="a", index=0), part("", "weather", id="b", index=0)],
            [part(ROME, id="b", index=0), part(BERN[4:], id="a", index=0)],
        ],
    ),
    "the name last": (ONE, [[part(BERN, id="a")], [part("", "weather", id="a")]]),
    "the name in each piece": (
        ONE,
        [[part(BERN[:5], "weather", index=0)], [part(BERN[5:], "weather", index=0)]],
    ),
    "the name again before the next arguments": (
        TWO,
        [[part(BERN, "weather")], [part("", "weather")], [part(ROME)]],
    ),
    "the name again after the end": (ONE, [[part(BERN, "weather")], [part("", "weather")]]),
    "an id of its own for each piece": (
        ONE,
        [[part("", "weather", index=0, id="a")], [part(BERN, index=0, id="b")], [
            part("", index=0, id="c")]],
    ),
    "an id that is the word null": (
        ONE,
        [[part(BERN[:5], "weather", index=0, id="x")], [part(BERN[5:], "", index=0, id="null")]],
    ),
    "indexes as text, with gaps": (
        TWO,
        [[part(BERN, "weather", index="3")], [part(ROME, "weather", index="7")]],
    ),
    "objects as arguments": (ONE, [[part({"city": "Bern"}, "weather", index=0)]]),
    "an empty object as a placeholder": (
        ONE,
        [[part({}, "weather", index=0, id="a")], [part(BERN, index=0)]],
    ),
    "two calls without arguments": (
        [("now", ""), ("now", "")],
        [[part({}, "now"), part({}, "now")]],
    ),
    "one id for all": (
        TWO,
        [[part(BERN, "weather", id="weather")], [part(ROME, "weather", id="weather")]],
    ),
    "one id for all, with indexes": (
        TWO,
        [[part(BERN[:3], "weather", id="x", index=0), part("", "weather", id="x", index=1)],
         [part(BERN[3:], index=0)], [part(ROME, index=1)]],
    ),
    "a whole call again at the end": (
        ONE,
        [[part(BERN, "weather", id="a", index=0)], [part(BERN, "weather", id="a", index=0)]],
    ),
    "whole calls without index and id": (
        TWO,
        [[{"name": "weather", "arguments": BERN}, {"name": "weather", "arguments": ROME}]],
    ),
    "a call whose name never comes": (ONE, [[part(BERN, "weather", id="a")], [part(ROME, id="b")]]),
    "no list": (ONE, [part(BERN, "weather")]),
    "nulls": (ONE, [[part(BERN, "weather")], [part(None)], [{"id": None, "function": None}], [7]]),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_what_providers_send_gives_whole_calls(shape: str) -> None:
    expected, chunks = SHAPES[shape]
    assert assembled(*chunks) == expected


def test_calls_without_a_name_are_never_relayed() -> None:
    assert assembled([part(BERN, id="a"), part(ROME, id="b")], [part("x", index=4)]) == []


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(500), deadline=None)
def test_any_split_and_order_of_the_pieces_gives_the_calls(random: Random) -> None:
    expected, chunks = call_stream(random)
    assert sorted(assembled(*chunks)) == sorted(expected)
