"""Write CSV files for spreadsheets, in which user text never runs as a formula.

A spreadsheet treats a cell that begins with `=`, `+`, `-` or `@`, or its full-width form, as a
formula. If its separator is not ours (a semicolon in much of Europe, a tab on pasting), it splits
our cells, and it may split a line break into rows; so the beginning of each such part is checked
too. An apostrophe before it makes it text.
"""

import csv
import io
import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from chat.lib.text import INVISIBLE

CONTENT_TYPE = "text/csv; charset=utf-8"

#: Byte order mark, which tells spreadsheet programs that the file is UTF-8.
_MARK = "\ufeff"

#: Characters that spreadsheets may skip before a formula: spaces, quotes, invisible ones.
_SKIPPED = rf"\x00-\x20\s\"{INVISIBLE}"
#: The beginning of a part and what may be skipped, before a formula. Each run of skipped characters
#: is tried once, from its first: from each of its tabs, a long one would take quadratic time.
_BEFORE_FORMULA = re.compile(
    rf"(?:^|[;|]|(?<![;|{_SKIPPED}])(?=[{_SKIPPED}]))[{_SKIPPED}]*+(?=[=+\-@＝＋－＠﹦﹢﹣﹫−])"
)
_SEPARATOR = re.compile(r"([;|\t\r\n])")
_CONTROLS = ("\t", "\r", "\n")


def head(names: Iterable[str]) -> str:
    """Return the beginning of the file: its mark, and the row with the names of the columns."""
    return _MARK + row(names)


def row(cells: Iterable[Any]) -> str:
    """Return one line of the file, with its line ending."""
    line = io.StringIO()
    csv.writer(line).writerow([_cell(each) for each in cells])
    return line.getvalue()


def _cell(value: Any) -> Any:
    """Return `value` as a cell: numbers unchanged, everything else as harmless text."""
    if value is None or isinstance(value, int | float):
        return value
    text = value.isoformat() if isinstance(value, date) else str(value)
    guarded = _BEFORE_FORMULA.sub(_as_text, text)
    if guarded.startswith(_CONTROLS):
        return f"'{guarded}"
    return guarded


def _as_text(match: re.Match[str]) -> str:
    """Return what is before a formula, with an apostrophe where a part begins."""
    begins = match.start() == 0 and match[0][:1] not in (";", "|")
    return ("'" if begins else "") + _SEPARATOR.sub(r"\1'", match[0])
