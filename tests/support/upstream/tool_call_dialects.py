"""Make tool calls at random, and the pieces in which providers of many dialects send them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

#: Names and arguments.
Calls = list[tuple[str, str]]
TEXTS = ["", "a", 'b"', "\\", "{}[]: ", "é😀", "}", "漢"]


def part(arguments: Any = "", name: str | None = None, **other: Any) -> dict[str, Any]:
    return {**other, "function": {"arguments": arguments} | ({"name": name} if name else {})}


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


def call_stream(random: Random, most: int = 4) -> tuple[Calls, list[list[Any]]]:
    """Return calls, and chunks that a provider of one dialect sends for them."""
    dialect = random.choice(DIALECTS)
    wanted = [_call(random) for _ in range(random.randint(1, most))]
    queues = [
        list(dialect.pieces(number, name, cut(random, text)))
        for number, (name, text) in enumerate(wanted)
    ]
    sent: list[Any] = []
    while remaining := [queue for queue in queues if queue]:
        queue = random.choice(remaining) if dialect.is_clear else remaining[0]
        sent.append(queue.pop(0))
    chunks = []
    while sent:
        size = random.randint(1, 3)
        chunks.append(sent[:size])
        sent = sent[size:]
    return wanted, chunks


def cut(random: Random, text: str) -> list[str]:
    """Return `text` in pieces: some providers cut between the halves of a character."""
    units = text.encode("utf-16-le")
    cuts = sorted(2 * random.randint(0, len(units) // 2) for _ in range(random.randint(0, 4)))
    return [
        units[start:end].decode("utf-16-le", "surrogatepass")
        for start, end in pairwise([0, *cuts, len(units)])
    ]


def _call(random: Random) -> tuple[str, str]:
    names = random.sample(["city", "}", '"'], random.randint(0, 2))
    arguments = {name: _value(random, 2) for name in names}
    is_ascii = random.random() < 0.5
    return random.choice(["weather", "now"]), json.dumps(arguments, ensure_ascii=is_ascii)


def _value(random: Random, depth: int) -> Any:
    kind = random.randint(0, 5 if depth else 3)
    if kind == 4:
        return [_value(random, depth - 1) for _ in range(random.randint(0, 2))]
    if kind == 5:
        return {
            random.choice(TEXTS): _value(random, depth - 1) for _ in range(random.randint(0, 2))
        }
    return [None, random.randint(0, 99), "".join(random.choices(TEXTS, k=3)), True][kind]
