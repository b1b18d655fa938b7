"""Compare tables of different databases by their rows, whatever order these are in."""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

MODULUS = 1 << 256


@dataclass(slots=True)
class RowDigest:
    """The number of rows, and the sum of their digests."""

    count: int = 0
    total: int = 0

    def add(self, row: tuple[Any, ...]) -> None:
        """Add a row, given as Python values."""
        known = hashlib.sha256()
        for value in row:
            data = _as_bytes(value)
            known.update(f"{type_name(value)}:{len(data)}:".encode())
            known.update(data)
        self.count += 1
        self.total = (self.total + int.from_bytes(known.digest(), "big")) % MODULUS


def type_name(value: Any) -> str:
    """Return the name of the value's type; the same for equal values of both databases."""
    return "bytes" if isinstance(value, bytes | memoryview) else type(value).__name__


def _as_bytes(value: Any) -> bytes:
    if isinstance(value, bytes | memoryview):
        return bytes(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").encode()
    if isinstance(value, float):
        return value.hex().encode()
    if isinstance(value, dict | list):
        # PostgreSQL stores JSON in an order of its own, and 1.0e3 and 1e+308 with all their digits.
        return json.dumps(_plain(value), sort_keys=True).encode()
    if isinstance(value, str | int | UUID | Decimal | date) or value is None:
        return str(value).encode()
    raise TypeError(f"a {type(value).__name__} can't be compared")


def _plain(value: Any) -> Any:
    """Return decoded JSON with whole numbers as integers, by the digits that JSON has of them."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    is_whole = isinstance(value, float) and value.is_integer()
    return int(Decimal(repr(value))) if is_whole else value
