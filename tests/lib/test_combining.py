"""Combining marks on one letter are limited, so that comparing texts stays fast."""

import sys
import unicodedata

import pytest

from chat.lib.combining import MAX_MARKS, PLACES, begins_with_mark, limit_marks
from chat.lib.words import words_of


def test_the_ranges_contain_all_combining_marks() -> None:
    others = [code for code in range(sys.maxunicode + 1) if code not in PLACES]
    assert not [code for code in others if begins_with_mark(code)]


@pytest.mark.parametrize("marks", ["\u0315\u0300", "\uff9e\u3099", "\u093c\u094d", "\U0001e944"])
def test_only_the_first_marks_of_a_letter_are_kept(marks: str) -> None:
    heap = marks * 500_000
    assert limit_marks(f"a{heap}b") == f"a{heap[:MAX_MARKS]}b"
    unicodedata.normalize("NFKD", limit_marks(heap))  # in quadratic time this takes hours


@pytest.mark.parametrize("text", ["Füße", "Việt Nam", "שָׁלוֹם", "ภาษาไทย", "नमस्ते", "བོད་སྐད", "plain"])
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert limit_marks(text) == text
    assert limit_marks(unicodedata.normalize("NFD", text)) == unicodedata.normalize("NFD", text)


def test_words_are_found_despite_many_marks() -> None:
    heap = "\u0315" * 300_000 + "\u0300" * 300_000
    assert words_of(f"river{heap} bend") == ["river", "bend"]
