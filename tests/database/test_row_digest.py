"""Rows are compared by their values, in any order."""

import uuid
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from chat.database_copy.row_digest import RowDigest


def digest_of(*rows: tuple[Any, ...]) -> RowDigest:
    digest = RowDigest()
    for row in rows:
        digest.add(row)
    return digest


NOON = datetime(2026, 5, 1, 12, 0, 0, 5, UTC)
SAME = [
    (NOON, NOON.astimezone(timezone(timedelta(hours=2)))),
    (b"\0\xff", memoryview(b"\0\xff")),
    ({"a": 1, "b": [1.0]}, {"b": [1], "a": 1}),
    ([1e23, -1.5e300, -0.0], [10**23, -15 * 10**299, 0]),  # as PostgreSQL returns them
]
DIFFERENT = [
    ("1", 1), (1, True), (None, "None"), (0.1, 0.1 + 2**-56), (b"1", "1"), ([1], "[1]"),
    (NOON, NOON + timedelta(microseconds=1)), ({"a": True}, {"a": 1}), ([1e23], [10**23 + 1]),
    (Decimal("1.5"), 1.5),
    (uuid.UUID(int=1), str(uuid.UUID(int=1))), ([1, 2], [2, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_values_are_the_same(one: Any, other: Any) -> None:
    assert digest_of((one,)) == digest_of((other,))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_values_differ(one: Any, other: Any) -> None:
    assert digest_of((one,)) != digest_of((other,))


def test_only_rows_may_change_places() -> None:
    assert digest_of((1, "a"), (2, "b")) == digest_of((2, "b"), (1, "a"))
    assert digest_of((1, "a")) != digest_of(("a", 1))
    assert digest_of(("ab", "c")) != digest_of(("a", "bc"))
    assert digest_of((1,), (1,)) != digest_of((1,))


def test_an_unknown_type_is_not_taken_for_equal() -> None:
    with pytest.raises(TypeError):
        digest_of((object(),))
