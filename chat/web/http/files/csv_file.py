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

#: Byte order mark, which tells spreadsheet programs that the file is UTF-8.
MARK = "\ufeff"

#: Characters that spreadsheets may skip before a formula: spaces, quotes, invisible ones.
_SKIPPED = r"[\x00-\x20\s\"\u200b-\u200f\u2060\ufeff]*"
_FORMULA = re.compile(rf"(?:^|(?<=[;|\t\r\n]))(?={_SKIPPED}[=+\-@＝＋－＠﹦﹢﹣﹫−])")
_CONTROLS = ("\t", "\r", "\n")


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
    guarded = _FORMULA.sub("'", text)
    if guarded.startswith(_CONTROLS):
        return f"'{guarded}"
    return guarded
