"""A browser leaves out what it cannot read of a stylesheet, without a word."""

import re
from pathlib import Path

import pytest

from tests.support.server import ROOT

SHEETS = sorted((ROOT / "static").rglob("*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_block_is_closed_where_the_next_begins(sheet: Path) -> None:
    depth = 0
    for line in re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL).splitlines():
        if line.strip():
            indented = (len(line) - len(line.lstrip())) // 2
            assert indented >= depth - line.lstrip().startswith("}"), line
        depth += line.count("{") - line.count("}")
    assert depth == 0
