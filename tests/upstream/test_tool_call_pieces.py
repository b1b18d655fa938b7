"""Tool calls are the same in whatever pieces a provider sends them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.upstream.decoding.tool_calls import ToolCalls
from chat.upstream.events import ToolCallPiece
from tests.support.variants import examples

BERN, ROME = '{"city":"Bern"}', '{"city": "Rome"}'
Calls = list[tuple[str, str]]


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


def part(arguments: Any = "", name: str | None = None, **other: Any) -> dict[str, Any]:
    return {**other, "function": {"arguments": arguments} | ({"name": name} if name else {})}


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


@dataclass(frozen=True)
class Dialect:
    """How a provider sends calls: where the index, the id and the name are."""

    index: str
    ids: str
    name: str

    @property
    def is_clear(self) -> bool:
        """Return whether each piece says which call it belongs to, so that calls may alternate.

        A new id without a name may be one of those that are made up for each piece.
        """
        is_named = self.index == "none" or self.name != "late"
        return self.index in {"numbers", "text", "gaps"} or (self.ids == "every" and is_named)

    def pieces(self, number: int, name: str, parts: list[str]) -> Iterator[dict[str, Any]]:
        indexes = {"numbers": number, "text": str(number), "gaps": 3 * number + 1, "zero": 0}
        named_at = {"first": {0}, "every": set(range(len(parts))), "late": {len(parts) - 1}}
        for place, arguments in enumerate(parts):
            piece = part(arguments, name if place in named_at[self.name] else None)
            if self.index in indexes:
                piece["index"] = indexes[self.index]
            if self.ids == "every" or (self.ids == "first" and place == 0):
                piece["id"] = f"call_{number}"
            if self.ids == "new":
                piece["id"] = f"call_{number}_{place}"
            yield piece


DIALECTS = [
    Dialect(index, ids, name)
    for index in ("numbers", "text", "gaps", "zero", "none")
    for ids in ("first", "every", "none", "new")
    for name in ("first", "every", "late")
    # A new id with a name is a new call, and without an index a new id alone is one, too.
    if ids != "new" or (name == "first" and index not in {"zero", "none"})
]
values = st.recursive(
    st.one_of(st.none(), st.integers(0, 99), st.text('ab"\\{}[]: é', max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.text("{}x", max_size=2), inner, max_size=2)
    ),
    max_leaves=4,
)
arguments = st.dictionaries(st.sampled_from(["city", "}", '"']), values, max_size=2)
calls = st.lists(st.tuples(st.sampled_from(["weather", "now"]), arguments), min_size=1, max_size=4)


@st.composite
def streams(draw: st.DrawFn) -> tuple[Calls, list[list[Any]]]:
    """Return calls, and chunks that a provider of one dialect sends for them."""
    dialect = draw(st.sampled_from(DIALECTS))
    wanted = [(name, json.dumps(each)) for name, each in draw(calls)]
    queues = []
    for number, (name, text) in enumerate(wanted):
        cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
        parts = [text[a:b] for a, b in pairwise([0, *cuts, len(text)])]
        queues.append(list(dialect.pieces(number, name, parts)))
    sent: list[Any] = []
    while remaining := [number for number, queue in enumerate(queues) if queue]:
        number = draw(st.sampled_from(remaining)) if dialect.is_clear else remaining[0]
        sent.append(queues[number].pop(0))
    sizes = draw(st.lists(st.integers(1, 3), min_size=len(sent), max_size=len(sent)))
    chunks = []
    while sent:
        size = sizes.pop()
        chunks.append(sent[:size])
        sent = sent[size:]
    return wanted, chunks


@given(streams())
@settings(max_examples=examples(500), deadline=None)
def test_any_split_and_order_of_the_pieces_gives_the_calls(stream: Any) -> None:
    expected, chunks = stream
    assert sorted(assembled(*chunks)) == sorted(expected)
