"""Check single values of a catalogue; each raises a ValueError that names the key."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any, get_args

Check = Callable[[str, Any], object]


def check_fields(
    entry: Mapping[str, Any], checks: Mapping[str, Check], required: Iterable[str]
) -> dict[str, Any]:
    """Return the checked values of a table; raise ValueError for the first that is wrong."""
    for key in entry:
        if key not in checks:
            raise ValueError(f"{key}: unknown key")
    for key in required:
        if key not in entry:
            raise ValueError(f"{key}: missing")
    return {key: checks[key](key, value) for key, value in entry.items()}


def text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key}: expected text, not {value!r}")
    return value


def tokens(key: str, value: Any) -> int:
    if type(value) is not int or value < 1:
        raise ValueError(f"{key}: expected a whole number of tokens, not {value!r}")
    return value


def whole_number(key: str, value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{key}: expected a whole number of 0 or more, not {value!r}")
    return value


def amount(key: str, value: Any) -> float:
    # bool is an int to Python; `true` as a price is a mistake
    if type(value) not in (int, float) or not 0 <= value < float("inf"):
        raise ValueError(f"{key}: expected a number of 0 or more, not {value!r}")
    return float(value)


def flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{key}: expected true or false, not {value!r}")
    return value


def texts(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
        raise ValueError(f"{key}: expected a list of texts, not {value!r}")
    return tuple(value)


def day(key: str, value: Any) -> date:
    """Return a TOML date, or the same as text, as JSON has it."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ValueError(f"{key}: expected a date like 2026-05-30, not {value!r}")
    return value


def one_of(key: str, value: Any, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"{key}: expected one of {', '.join(map(repr, allowed))}, not {value!r}")
    return str(value)


def literal(allowed: Any) -> Check:
    """Return the check for one of the values of a `Literal`."""
    return partial(one_of, allowed=get_args(allowed))
