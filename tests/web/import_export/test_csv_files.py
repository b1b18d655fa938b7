"""No spreadsheet computes what somebody wrote, however it takes a file apart."""

import csv
import io
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chat
from chat.web.http import csv_file

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
    """As a program sees it whose separator is not ours: it finds no quotation mark at a cell's begin."""
    return re.split(r"[;|\t\r\n]", written)


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), min_size=1, max_size=4))
def test_no_part_of_a_file_is_a_formula(cells: list[str]) -> None:
    written = csv_file.row(cells)
    for cell in [*cells_of(written, ","), *torn(written)]:
        assert not FORMULA.match(cell), (cells, written)


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), min_size=1, max_size=4))
def test_nothing_is_lost(cells: list[str]) -> None:
    read = cells_of(csv_file.row(cells), ",")
    assert [each.replace("'", "") for each in read] == [each.replace("'", "") for each in cells]


@pytest.mark.parametrize("cell", ["\tword", "\rword", "\nword"])
def test_a_cell_does_not_begin_with_a_control_character(cell: str) -> None:
    assert cells_of(csv_file.row([cell]), ",") == [f"'{cell}"]


def test_what_is_harmless_stays_as_it_is() -> None:
    words = "Rivers bend; why? 1-2, a@example.org, x = y"
    assert cells_of(csv_file.row([words]), ",") == [words]
    assert csv_file.row([-1.5, 3, None, date(2026, 2, 3)]) == "-1.5,3,,2026-02-03\r\n"


def test_every_file_of_cells_is_written_here() -> None:
    """So that the next export is no exception."""
    writers = [
        path.name
        for path in Path(chat.__path__[0]).rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)", path.read_text())
    ]
    assert writers == ["csv_file.py"]
