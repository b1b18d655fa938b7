"""Format numbers and dates for the language of the request."""

from datetime import date
from functools import lru_cache
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _


def format_number(number: float) -> str:
    """Return the number with grouped digits and without trailing zeros."""
    text = f"{number:f}".rstrip("0").rstrip(".") if isinstance(number, float) else number
    return str(number_format(text, force_grouping=True))


def format_percent(number: str) -> str:
    """Return the number with a percent sign as the language writes it."""
    return _("%(number)s%%") % {"number": number}


def format_day(day: date) -> str:
    return date_format(day, "DATE_FORMAT")


def format_value(value: Any, kind: str) -> str:
    """Return a formatted value of a table (chat/web/review/http/tables.py)."""
    if value is None:
        return "–"
    if kind in {"day", "long day"}:
        return _format_day(value, kind, get_language()) if isinstance(value, date) else ""
    if isinstance(value, int | float):
        return _format_figure(value, kind, get_language())
    return str(value)


@lru_cache(maxsize=1024)  # a chart names each day in each of its lines
def _format_day(value: date, kind: str, _language: str | None) -> str:
    return date_format(value, "SHORT_DATE_FORMAT" if kind == "day" else "DATE_FORMAT")


@lru_cache(maxsize=4096, typed=True)  # tables have many equal ones, such as 0
def _format_figure(value: float, kind: str, _language: str | None) -> str:
    match kind:
        case "count":
            return (
                _rounded(value, 1) if 0 < value < 10 and value % 1 else format_number(round(value))
            )
        case "dollars":
            return f"${_rounded(value, 2 if value >= 1 else 4)}"
        case "share":
            return format_percent(_rounded(value * 100, 1))
        case "seconds":
            return f"{_rounded(value, 2)} s"
        case "score":
            return _rounded(value, 2)
        case "speed":
            return _rounded(value, 1)
        case _:
            return str(value)


def _rounded(value: float, places: int) -> str:
    """Round a number and format it; `number_format` cuts digits off."""
    return str(floatformat(value, f"{places}g"))
