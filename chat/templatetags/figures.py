from datetime import date
from typing import Any

from django import template
from django.utils.formats import date_format, number_format

register = template.Library()


@register.filter
def grouped(number: float) -> str:
    """The number as the language writes it, without idle zeros."""
    text = f"{number:f}".rstrip("0").rstrip(".") if isinstance(number, float) else number
    return str(number_format(text, force_grouping=True))


@register.filter
def compact(count: int) -> str:
    """A count of tokens in thousands, such as 24K; below a thousand as it is."""
    return f"{grouped(round(count / 1000))}K" if count >= 1000 else str(count)


@register.filter
def measured(value: Any, kind: str) -> str:
    """A value of a table (chat/web/review/http/tables.py), as the language writes it."""
    if value is None:
        return "–"
    match kind:
        case "day":
            return date_format(value, "SHORT_DATE_FORMAT") if isinstance(value, date) else ""
        case "count":
            return (
                str(number_format(value, 1))
                if 0 < value < 10 and value % 1
                else grouped(round(value))
            )
        case "dollars":
            return f"${number_format(value, 2 if value >= 1 else 4, force_grouping=True)}"
        case "share":
            return f"{number_format(value * 100, 1)} %"
        case "seconds":
            return f"{number_format(value, 2)} s"
        case "speed":
            return str(number_format(value, 1))
        case _:
            return str(value)
