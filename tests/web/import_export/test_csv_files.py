"""No spreadsheet treats user text in CSV files as a formula."""

import csv
import io
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chat
from chat.web.http.files import csv_file

FORMULA = re.compile(r"[\s\"\x00-\x20\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠]")
PARTS = (
    "=1+1",
    "＝cmd",
    "@x",
    "-2",
    "+3",
    ";",
    "|",
    "\t",
    "\r",
    "\n",
    ",",
    '"',
    " ",
    "'",
    "a",
    "\u200b",
)


def cells_of(written: str, separator: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(written), delimiter=separator) for cell in row]


def torn(written: str) -> list[str]:
    """Split a row like a program with another separator, which does not recognise our quotes."""
    return re.split(r"[;|\t\r\n]", written)


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), min_size=1, max_size=4))
def test_no_part_of_a_cell_becomes_a_formula(cells: list[str]) -> None:
    written = csv_file.row(cells)
    for cell in [*cells_of(written, ","), *torn(written)]:
        assert not FORMULA.match(cell), (cells, written)


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), min_size=1, max_size=4))
def test_no_text_is_lost(cells: list[str]) -> None:
    read = cells_of(csv_file.row(cells), ",")
    assert [each.replace("'", "") for each in read] == [each.replace("'", "") for each in cells]


@pytest.mark.parametrize("cell", ["\tword", "\rword", "\nword"])
def test_a_cell_does_not_start_with_a_control_character(cell: str) -> None:
    assert cells_of(csv_file.row([cell]), ",") == [f"'{cell}"]


def test_harmless_text_is_unchanged() -> None:
    words = "Rivers bend; why? 1-2, a@example.org, x = y"
    assert cells_of(csv_file.row([words]), ",") == [words]
    assert csv_file.row([-1.5, 3, None, date(2026, 2, 3)]) == "-1.5,3,,2026-02-03\r\n"


def test_csv_files_are_written_in_one_module_only() -> None:
    """So that new exports use it too."""
    writers = [
        path.name
        for path in Path(chat.__path__[0]).rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)", path.read_text())
    ]
    assert writers == ["csv_file.py"]
