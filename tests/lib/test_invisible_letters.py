"""Nobody hides a word of a rule, a formula or a name behind letters that nobody sees."""

import pytest

from chat.lib.text import visible
from chat.review.cases.folding import fold_words, without_invisible
from chat.web.http.files import csv_file

#: One of each range.
LETTERS = (
    "\u00ad\u034f\u061c\u115f\u17b4\u180e\u200b\u202e\u2060\u2065\u206f\u3164\ufe00\ufeff\uffa0"
)
TAGS = "\U000e0000\U000e0041\U000e0100\U000e0fff"
SPELLING = "\u200c\u200d\ufe0e\ufe0f"


@pytest.mark.parametrize("letter", LETTERS + TAGS + SPELLING, ids=ascii)
def test_rules_and_spreadsheets_see_what_stands_behind(letter: str) -> None:
    assert without_invisible(f"ca{letter}noe") == fold_words(f"ca{letter}noe") == "canoe"
    assert "'" in csv_file.row([f"{letter}=1+1"])


@pytest.mark.parametrize("letter", LETTERS + TAGS + "\u2800", ids=ascii)
def test_texts_are_shown_without_them(letter: str) -> None:
    assert visible(f"ca{letter}noe\n") == "canoe\n"


@pytest.mark.parametrize("letter", SPELLING, ids=ascii)
def test_at_most_two_that_spelling_needs_follow_each_other(letter: str) -> None:
    assert visible(f"ca{letter * 9}noe") == f"ca{letter * 2}noe"
