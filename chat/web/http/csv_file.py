"""CSV for spreadsheets, in which nothing that somebody wrote is computed.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, full-width forms
included. Where its own separator is not ours (a semicolon in much of Europe, a tab on pasting),
one of our cells becomes several, and a line within one becomes a row; so the beginning of each such
part counts as well. An apostrophe before it makes it text.
"""

import csv
import io
import re
from collections.abc import Iterable
from datetime import date
from typing import Any

#: For files that are opened by a double click: it says that they are UTF-8.
MARK = "\ufeff"

#: What a spreadsheet may skip before a formula: spaces, quotation marks, what cannot be seen.
_SKIPPED = r"[\x00-\x20\s\"\u200b-\u200f\u2060\ufeff]*"
_FORMULA = re.compile(rf"(?:^|(?<=[;|\t\r\n]))(?={_SKIPPED}[=+\-@＝＋－＠﹦﹢﹣﹫−])")
_CONTROLS = ("\t", "\r", "\n")


def row(cells: Iterable[Any]) -> str:
    """Return one line of a file, its end included."""
    line = io.StringIO()
    csv.writer(line).writerow([_cell(each) for each in cells])
    return line.getvalue()


def _cell(value: Any) -> Any:
    """Return `value` as a cell: numbers as they are, everything else as harmless text."""
    if value is None or isinstance(value, int | float):
        return value
    text = value.isoformat() if isinstance(value, date) else str(value)
    guarded = _FORMULA.sub("'", text)
    if guarded.startswith(_CONTROLS):
        return f"'{guarded}"
    return guarded
