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
        ("<think>A greeting.</think>\n\nRivers of Bern", "Rivers of Bern"),
        ("<thinking>It never ends", ""),
        ("Here's a title for the chat:\n\nRivers of Bern", "Rivers of Bern"),
        ('Sure! Here is a title: "Rivers of Bern"', "Rivers of Bern"),
        ("Here's a title:", ""),
        ('{"title": "Rivers of Bern"}', "Rivers of Bern"),
        ('```json\n{"title": "Rivers of Bern"}\n```', "Rivers of Bern"),
        ('{"name": "Rivers"}', ""),
        ('{"title": ["Rivers"]', ""),
        ("1. **Rivers** of `Bern`\n2. Bends", "Rivers of Bern"),
        ("Rivers: a history", "Rivers: a history"),
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


NOTES = "notes.txt:\n```txt\nBuy milk.\n```\n"
PHOTO = f"![river.png](image:{'a' * 32})"


def test_names_of_files_are_neither_read_nor_taken_as_the_title() -> None:
    asked = title_request(f"What is this?\n\n{NOTES}{PHOTO}", "A list.")[1].content
    assert asked.startswith("What is this?\n\nA list.\n\n")
    assert "Buy milk." in asked
    assert "notes.txt" not in asked
    assert "river.png" not in asked
    assert title_request(PHOTO, "A river.")[1].content == "A river."
    assert title_of("Notes.txt", NOTES) == ""
    assert title_of("Shopping list", NOTES) == "Shopping list"


def test_the_emulator_recognises_the_request() -> None:
    assert title_prompt.INSTRUCTIONS.startswith(ASKS_FOR_TITLE)
