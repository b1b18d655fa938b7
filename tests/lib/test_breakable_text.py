"""Text that browsers lay out slowly is divided, and nothing of it is lost."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from chat.lib.breakable_text import MAX_LINE_LENGTH, MAX_RUN_LENGTH, breakable
from chat.templatetags.breakable import breakable as as_html

#: The tests of the script that does the same use these too.
CASES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "fixtures/breakable_texts.json").read_text()
)
TEXTS = {each["name"]: each["unit"] * each["times"] for each in CASES["texts"]}
TOO_LONG = re.compile(rf"[^ \n\t]{{{2 * MAX_RUN_LENGTH},}}")


@pytest.mark.parametrize("name", TEXTS)
def test_text_without_places_for_line_breaks_gets_some(name: str) -> None:
    lines = breakable(TEXTS[name])
    assert "".join(part for parts in lines for part in parts) == TEXTS[name]
    assert not [part for parts in lines for part in parts if TOO_LONG.search(part)]


@pytest.mark.parametrize("name", CASES["right_to_left"])
def test_lines_that_change_direction_are_short(name: str) -> None:
    lines = ["".join(parts) for parts in breakable(TEXTS[name])]
    assert max(len(each) for line in lines for each in line.split("\n")) <= MAX_LINE_LENGTH


@pytest.mark.parametrize("text", CASES["ordinary"])
def test_ordinary_text_stays_in_one_piece(text: str) -> None:
    assert breakable(text * 300) == [[text * 300]]


@pytest.mark.parametrize("name", TEXTS)
def test_a_template_shows_all_of_the_text(name: str) -> None:
    html = as_html(TEXTS[name])
    assert unescape(re.sub(r'<wbr>|<span class="text-line">|</span>', "", html)) == TEXTS[name]


def test_a_template_escapes_each_part() -> None:
    html = as_html("<script>" + "<img src=x>" * 200 + "\u05d0" * 6_000)
    assert set(re.findall(r"<[^>]*>", html)) == {"<wbr>", '<span class="text-line">', "</span>"}
    assert as_html("<b>") == "&lt;b&gt;"
