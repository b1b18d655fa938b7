"""Write JSON Lines: a JSON value on each line (https://jsonlines.org)."""

from collections.abc import Iterable
from typing import Any

import msgspec

CONTENT_TYPE = "application/jsonl"


def lines(values: Iterable[dict[str, Any]]) -> bytes:
    """Return the lines of `values`, each with its line ending."""
    return b"".join(msgspec.json.encode(each) + b"\n" for each in values)
