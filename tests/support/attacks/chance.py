"""Random attacks that can be repeated: the seed is printed with a test that fails."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from tests.support.variants import examples

#: What breaks readers of text, logs, SQL, headers, markup and JavaScript's objects.
NASTY_TEXTS = [
    "", " ", "\0", "\r\nSet-Cookie: a=b", "\n\n", "\x1b[2J", "\u202egnp.exe", "\u2066\u2069", "\ufeff", "\ufffe", "\x7f\x85",
    "e\u0301" * 50, "\u0300" * 300, "\U0001f469\u200d\U0001f469", "__proto__", "constructor", "' OR 1=1 --", "%s%n{0}", "${7*7}{{7*7}}",
    "<script>alert(1)</script>", "../../../etc/passwd", "\\\\host\\share", "null", "-0", "1e999", "9" * 400, "ı", "ﬃ", "x" * 70_000,
]  # fmt: skip
#: Values of every type, and of more depth and size than anybody needs.
NASTY_VALUES: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e308, -1e308, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**400, [], {}, [[]], [None], [{}],
    [[[[[[[[]]]]]]]], {"a": {"a": {"a": {}}}}, {"__proto__": {"isAdmin": True}}, {"": ""}, {"\0": "\0"}, ["x"] * 2000, {"type": "text"},
    {"$ne": None}, "2026-01-01T00:00:00Z", "0000-00-00T00:00:00Z", *NASTY_TEXTS,
]  # fmt: skip


def chance() -> Random:
    """Return random numbers from the seed in `ATTACK_SEED`, or a new one with `make test-long`.

    `make test` always uses the same, so that it fails only because of a change.
    """
    is_long = examples(2) == 2
    seed = int(os.environ.get("ATTACK_SEED") or (secrets.randbelow(10**9) if is_long else 1))
    print(f"repeat this attack with ATTACK_SEED={seed}")  # pytest shows it if the test fails
    return Random(seed)


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list and object in `value`, with each index or key in it."""
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places_in(inner)


@contextmanager
def naming(attack: object) -> Iterator[None]:
    """Say which attack it was if the block fails."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"the attack: {str(attack)[:1000]!r}")
        raise
