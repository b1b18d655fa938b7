"""No regular expression takes much longer than in proportion to its text.

The tests find the expressions in the code, so a new one is measured without being listed here. What
is repeated in the texts is derived from each expression.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.growth.pattern_attacks import Use, attacks, uses
from tests.support.growth import assert_screened_linear
from tests.support.variants import some_now

#: Expressions that are quadratic, and what keeps their texts short.
SHORT_TEXTS = {
    "chat.database_copy.table_copy:'COPY [^,]+, line (\\\\d+)'": "PostgreSQL shows few characters",
    "chat.templatetags.lucide:'\\\\s*(/?>|$)\\\\s*'": "an icon of the library, once",
}
#: Patterns that are made in functions, and why they need no measurement.
HIDDEN = {
    "chat.database.cascades:with_clause": "the texts of our own tables",
    "chat.emulator.service:_pattern": "paths, matched from their beginning",
}


@cache
def all_uses() -> tuple[list[Use], set[str]]:
    return uses()


def applied(use: Use, operation: str) -> Callable[[Any], object]:
    method = getattr(use.pattern, operation)
    if operation in ("sub", "subn"):
        empty = b"" if isinstance(use.pattern.pattern, bytes) else ""
        return lambda text: method(empty, text)
    if operation == "finditer":
        return lambda text: sum(1 for _ in method(text))
    found: Callable[[Any], object] = method
    return found


def test_every_regular_expression_is_found() -> None:
    found, hidden = all_uses()
    assert len(found) > 80
    assert hidden == HIDDEN.keys(), "give the pattern a name in its module"
    assert SHORT_TEXTS.keys() <= {use.place for use in found}


@pytest.mark.parametrize("place", some_now(sorted(use.place for use in all_uses()[0]), at_once=30))
def test_an_expression_takes_linear_time(place: str) -> None:
    if place in SHORT_TEXTS:
        return
    (use,) = [each for each in all_uses()[0] if each.place == place]
    is_bytes = isinstance(use.pattern.pattern, bytes)
    for operation in sorted(use.operations or {"search", "match", "fullmatch"}):
        call = applied(use, operation)
        for start, unit, end in attacks(use.pattern):

            def text(size: int, start: str = start, unit: str = unit, end: str = end) -> Any:
                made = start + unit * (size // len(unit)) + end
                return made.encode("utf-8", "surrogatepass") if is_bytes else made

            assert_screened_linear(call, text, f"{operation} of {start!r} {unit!r} {end!r}")
