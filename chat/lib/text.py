"""Clean text so that it can be stored and sent everywhere, and names so that they fit a line."""

import re
import unicodedata
from collections.abc import Callable
from itertools import groupby
from typing import Any

REPLACEMENT = "\ufffd"
#: Format characters that spelling and emoji need; all others are invisible, or reorder the line.
JOINERS = "\u200c\u200d"
#: What Unicode says to ignore in display (Default_Ignorable_Code_Point), for regular expressions.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
_SPELLING = f"[{JOINERS}\ufe0e\ufe0f]"
#: Also the empty pattern of Braille, and more than two in a row of those that spelling needs.
_UNSEEN = re.compile(f"(?!{_SPELLING})[{INVISIBLE}\u2800]|(?<={_SPELLING}{{2}}){_SPELLING}")


def clean(text: str) -> str:
    """Replace NUL (PostgreSQL rejects it) and lone surrogates in `text` with U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", REPLACEMENT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean_json(value: Any, change: Callable[[str], str] = clean) -> Any:
    """Clean every string in a JSON value. Raise RecursionError for absurd depth."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [clean_json(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): clean_json(item, change) for key, item in value.items()}
    return value


def natural_key(text: str) -> list[tuple[bool, int, str]]:
    """Return a key for sorting by which `model-2` comes before `model-10`."""
    runs = ("".join(run) for _is_digit, run in groupby(text.casefold(), _is_digit))
    return [(not _is_digit(run[0]), int(run) if _is_digit(run[0]) else 0, run) for run in runs]


def _is_digit(character: str) -> bool:
    return "0" <= character <= "9"


def one_line(text: str) -> str:
    """Return the text in one line, without control and invisible characters.

    These become spaces or nothing: they could hide text, or change the direction of what follows.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(map(_shown, clean(text))).split())


def visible(text: str) -> str:
    """Return the text without characters that nobody sees, with its line breaks."""
    if text.isascii() and text.isprintable():
        return text
    shown = "".join(each if each in "\n\t" else _shown(each) for each in clean(text))
    return _UNSEEN.sub("", shown)


def cut_at_word(line: str, length: int) -> str:
    """Return the line, or as many of its words as fit; "…" stands for the rest."""
    if len(line) <= length:
        return line
    words, _, _ = line[:length].rpartition(" ")
    return f"{words or line[:length]}…"


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf":
        return char if char in JOINERS else ""
    return " " if category in {"Cc", "Zl", "Zp"} else char
