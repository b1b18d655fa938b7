"""Write JSON for people to read, without letting its indentation grow beyond bounds."""

import json
from typing import Any

#: Deeper JSON is one line: each of its values would begin with hundreds of blanks.
MAX_DEPTH = 12


def indented(value: Any, blanks: int = 2) -> str:
    """Return JSON with a line for each value, or on one line if it is deep."""
    return json.dumps(value, indent=None if _is_deep(value) else blanks, ensure_ascii=False)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _depth in range(MAX_DEPTH):
        level = [inner for each in level for inner in _values_in(each)]
        if not level:
            return False
    return True


def _values_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
