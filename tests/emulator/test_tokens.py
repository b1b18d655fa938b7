import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.emulator.common import tokens


@given(st.text(), st.integers(0, 9))
def test_the_tokens_joined_are_the_text(text: str, seed: int) -> None:
    assert "".join(tokens.split(text, seed)) == text


def test_a_short_word_keeps_the_space_before_it() -> None:
    assert list(tokens.split("The quiet river.")) == ["The", " quiet", " river", "."]


def test_a_long_word_is_split() -> None:
    pieces = list(tokens.split("internationalization"))
    assert 4 <= len(pieces) <= 7
    assert all(2 <= len(piece) <= 6 for piece in pieces)


@pytest.mark.parametrize("text", ["日本語", "🌊📚", "강은"])
def test_scripts_without_spaces_are_split_by_character(text: str) -> None:
    assert list(tokens.split(text)) == list(text)


def test_numbers_are_split_into_three_digits() -> None:
    assert list(tokens.split("12345")) == ["123", "45"]


def test_the_same_seed_gives_the_same_split() -> None:
    words = "extraordinary circumstances notwithstanding, congratulations"
    assert list(tokens.split(words, 1)) == list(tokens.split(words, 1))
    assert list(tokens.split(words, 1)) != list(tokens.split(words, 2))


def test_tokens_are_about_four_characters() -> None:
    text = "Between two tides, the translator walks upstream and copies out the old tide tables. "
    assert 3.5 < len(text) / tokens.count(text) < 5
