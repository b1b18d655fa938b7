"""Read values of other programs' files, whose types aren't reliable."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from chat.lib.moments import moment_in, storable
from chat.lib.text import one_line

T = TypeVar("T")
#: What may be in the place of a struct. A file with such a value is still decoded.
Odd = str | int | float | bool | list[Any] | None
#: Identifiers that stand for the beginning of a chat begin with this.
BEGINNING = "00000000-"
#: Numbers from here on are milliseconds, microseconds and nanoseconds since 1970.
MILLI, MICRO, NANO = 1e11, 1e14, 1e17
MAX_NAME_CHARS = 200


def moment(value: Any) -> datetime | None:
    """Return the time in ISO 8601 or since 1970; None if it's missing or not valid."""
    try:
        if isinstance(value, str):
            return moment_in(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return storable(datetime.fromtimestamp(_seconds(float(value)), UTC))
        return None
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


def without_nul(text: str) -> str:
    """Return a text that databases can store."""
    return text.replace("\0", "")


def struct_of(value: Any, kind: type[T]) -> T:
    """Return the struct, or an empty one in the place of another value."""
    return value if isinstance(value, kind) else kind()


def reference(value: Any) -> str | None:
    """Return the identifier of the message before; None at the beginning of a chat.

    It's an unknown one if the value isn't an identifier.
    """
    if value is None or text_of(value).startswith(BEGINNING):
        return None
    return text_of(value)


def keys_of(identifiers: Iterable[Any]) -> list[str]:
    """Return a different key for each message of a list: its identifier, if it has one."""
    keys: dict[str, None] = {}
    for place, each in enumerate(identifiers):
        key = text_of(each)
        keys[key if key and key not in keys else f"#{place}"] = None
    return list(keys)


def items_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def field_of(value: Any, *names: str) -> Any:
    """Return the first of the fields that isn't empty; None if `value` isn't an object."""
    values = (value.get(name) for name in names) if isinstance(value, dict) else ()
    return next((each for each in values if each), None)


def paragraphs(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())


def continued(texts: Iterable[str | None]) -> str:
    """Join the texts in a list of parts, where None stands for other parts.

    Adjacent texts continue each other; a part between them begins a paragraph.
    """
    runs = groupby(texts, key=lambda text: text is not None)
    return paragraphs("".join(filter(None, run)) for is_text, run in runs if is_text)


def image_note() -> str:
    return "[" + _("Image not imported") + "]"


def message_note() -> str:
    """Return the line that stands for a question that can't be read."""
    return "[" + _("Message not imported") + "]"


def file_note(name: str) -> str:
    """Return the line that stands for a file that isn't imported."""
    shown = one_line(name)[:MAX_NAME_CHARS]
    words = _("File not imported: {name}") if shown else _("File not imported")
    return "[" + words.format(name=shown) + "]"
