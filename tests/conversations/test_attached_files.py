"""Files that the page attaches to a question are found in its text, and give it no title."""

import pytest

from chat.conversations.attached_files import (
    image_digests,
    original_digests,
    split_files,
    with_image_notes,
    without_originals,
)
from chat.conversations.turns import title_from

NOTES = "notes.csv:\n```csv\nriver,km\n```\n"
FENCES = "a.md:\n````md\n```js\n1\n```\n````\n"
MAKEFILE = "Makefile:\n```file\nall:\n```\n"
IMAGE = f"![a [big] river.png](image:{'0a' * 16})\n"
KEPT = NOTES.replace("csv\nriver", f"csv file:{'0b' * 16}\nriver")
CODE = "Here is the code:\n```py\nx\n```\n"


@pytest.mark.parametrize(
    ("text", "written", "names"),
    [
        ("", "", []),
        ("No file.", "No file.", []),
        (NOTES, "", ["notes.csv"]),
        (f"Sum this:\n{NOTES}", "Sum this:\n", ["notes.csv"]),
        (NOTES.rstrip(), "", ["notes.csv"]),
        (FENCES + MAKEFILE + NOTES, "", ["a.md", "Makefile", "notes.csv"]),
        (f"{CODE}{NOTES}", CODE, ["notes.csv"]),
        (KEPT + NOTES, "", ["notes.csv", "notes.csv"]),
        (KEPT.replace("file:", "file: "), KEPT.replace("file:", "file: "), []),
        (CODE, CODE, []),
        (IMAGE, "", ["a [big] river.png"]),
        (
            f"What?\n{IMAGE}{NOTES}{IMAGE}",
            "What?\n",
            ["a [big] river.png", "notes.csv", "a [big] river.png"],
        ),
        (f"{IMAGE}And?", f"{IMAGE}And?", []),
        (IMAGE.replace("0a", "0g"), IMAGE.replace("0a", "0g"), []),
        (f"See {IMAGE}", f"See {IMAGE}", []),
        (f"{NOTES}And this?", f"{NOTES}And this?", []),
        ("a.py:\n```js\nx\n```\n", "a.py:\n```js\nx\n```\n", []),
        ("a.py:\n```py\nx\n", "a.py:\n```py\nx\n", []),
    ],
)
def test_a_question_is_split_into_its_text_and_its_files(
    text: str, written: str, names: list[str]
) -> None:
    found = split_files(text)
    assert found.text == written
    assert [file.name for file in found.files] == names
    assert found.text + "".join(file.block for file in found.files) == text


def test_the_digests_of_images_are_found_once_each() -> None:
    assert image_digests(f"What?\n{IMAGE}{NOTES}{IMAGE}") == ["0a" * 16]
    assert image_digests(f"{IMAGE}What?") == []
    assert image_digests(NOTES) == []


def test_the_original_of_a_file_is_named_after_its_language() -> None:
    assert original_digests(f"Sum:\n{KEPT}{IMAGE}{KEPT}{NOTES}") == ["0b" * 16]
    assert without_originals(f"Sum:\n{KEPT}{IMAGE}") == f"Sum:\n{NOTES}{IMAGE}"
    assert original_digests(f"{KEPT}And?") == []


def test_where_images_are_not_shown_a_note_stands_for_each() -> None:
    noted = with_image_notes(f"What?\n{IMAGE}{NOTES}")
    assert noted == f"What?\n[image: a [big] river.png]\n{NOTES}".rstrip("\n")
    assert with_image_notes(NOTES) == NOTES


def test_splitting_a_hostile_text_takes_no_longer_than_its_length_warrants() -> None:
    text = "a:\n```file\n" * 20_000 + "```\n" * 20_000 + "end"
    assert split_files(text).files == ()


@pytest.mark.parametrize(
    ("text", "title"),
    [(f"Sum this:\n{NOTES}", "Sum this:"), (NOTES, ""), (CODE, "Here is the code:")],
)
def test_a_title_is_never_a_files_name(text: str, title: str) -> None:
    assert title_from(text) == title
