"""What becomes of a model's words for a title, and how the emulator recognises the request."""

import pytest

from chat.emulator.scripts.titles import ASKS_FOR_TITLE
from chat.generations.titles import title_prompt
from chat.generations.titles.title_prompt import title_of, title_request


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Rivers and their bends", "Rivers and their bends"),
        ("“Rivers and their bends.”\n", "Rivers and their bends"),
        ("**Title: Rivers**", "Rivers"),
        ("Titel: Flüsse", "Flüsse"),
        ("\n\n# Rivers\n\nThey bend because", "Rivers"),
        ("「川の流れ」。", "川の流れ」"),
        ("A. Smith Ltd.", "A. Smith Ltd"),
        ('""', ""),
        ("", ""),
    ],
)
def test_only_the_title_is_kept(written: str, title: str) -> None:
    assert title_of(written) == title


def test_a_long_title_is_cut_at_a_word() -> None:
    title = title_of("river " * 40)
    assert len(title) <= title_prompt.MAX_TITLE_CHARS + 1
    assert title.endswith("river…")


def test_a_long_first_turn_is_cut() -> None:
    asked = title_request("q" * 10_000, "a" * 10_000)
    assert sum(len(each.content) for each in asked[1:]) < 4000


def test_the_emulator_recognises_the_request() -> None:
    assert title_prompt.INSTRUCTIONS.startswith(ASKS_FOR_TITLE)
