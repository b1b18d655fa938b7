"""Names and titles that others wrote are shown in one line, without invisible characters."""

import pytest

from chat.conversations.turns import title_from
from chat.generations.titles.title_prompt import title_of
from chat.lib.text import one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Rivers", "Rivers"),
        ("  Rivers \n and\tbends ", "Rivers and bends"),
        ("\x01garbage\x1b[31m\x7f\x85", "garbage [31m"),
        ("safe\u202egnp.exe", "safegnp.exe"),  # would be shown as “safeexe.png”
        ("\u2066hidden\u2069\ufeff\u200b\u00ad words\U000e0041", "hidden words"),
        ("one\u2028two\u2029three", "one two three"),
        ("\0", "\ufffd"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🚀 ❤\ufe0f", "👩\u200d🚀 ❤\ufe0f"),
        ("Flüsse 川の流れ", "Flüsse 川の流れ"),
        ("\ud800lone", "\ufffdlone"),
    ],
)
def test_only_what_can_be_seen_is_kept(text: str, line: str) -> None:
    assert one_line(text) == line
    assert one_line(line) == line


def test_generated_titles_and_first_words_have_no_control_characters() -> None:
    assert title_of("\x01garbage\x02\u202e") == "garbage"
    assert title_of("\u200b\n\x07\nRivers") == "Rivers"
    assert title_from("\x01\x02\n\x1bWhat is this?") == "What is this?"
