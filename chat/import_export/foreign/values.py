"""Read values of other programs' files, whose types aren't reliable."""

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from chat.import_export.tree_validation import EARLIEST, LATEST
from chat.lib.text import one_line

#: Numbers from here on are milliseconds, microseconds and nanoseconds since 1970.
MILLI, MICRO, NANO = 1e11, 1e14, 1e17
MAX_NAME_CHARS = 200
FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,12})$")


def moment(value: Any) -> datetime | None:
    """Return the time in ISO 8601 or since 1970; None if it's missing or not valid."""
    try:
        if isinstance(value, str):
            parsed = datetime.fromisoformat(value)
            parsed = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            parsed = datetime.fromtimestamp(_seconds(float(value)), UTC)
        else:
            return None
        return parsed if EARLIEST <= parsed < LATEST else None
    except (ValueError, OverflowError, OSError):
        return None


def _seconds(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError
    for least, unit in ((NANO, 1e9), (MICRO, 1e6), (MILLI, 1e3)):
        if number >= least:
            return number / unit
    return number


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def items_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def field_of(value: Any, *names: str) -> Any:
    """Return the first of the fields that isn't empty; None if `value` isn't an object."""
    values = (value.get(name) for name in names) if isinstance(value, dict) else ()
    return next((each for each in values if each), None)


def paragraphs(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())


def image_note() -> str:
    return "[" + _("Image not imported") + "]"


def file_note(name: str) -> str:
    """Return the line that stands for a file, whose content isn't in the export."""
    shown = one_line(name)[:MAX_NAME_CHARS]
    words = _("File not imported: {name}") if shown else _("File not imported")
    return "[" + words.format(name=shown) + "]"


def fenced_file(name: str, text: str) -> str:
    """Return a text file in the form in which static/js/lib/text_files.js adds it to a message."""
    fence = "`" * (max(map(len, FENCE.findall(text)), default=2) + 1)
    extension = EXTENSION.search(name)
    language = extension[1].lower() if extension else ""
    title = one_line(name)[:MAX_NAME_CHARS] or _("File")
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{title}:\n{fence}{language}\n{text}{end}{fence}\n"
