"""The text of a document is split into passages that say where they stand."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.documents.reader.pdf import MARK
from chat.knowledge.passages import MAX_PIECE_BYTES, TARGET_BYTES, Passage, split
from chat.lib.worker_thread import finished

SENTENCE = "The river carries more water in spring than in autumn. "
PARAGRAPH = SENTENCE * 6


def texts(text: str) -> list[str]:
    return [text[each.start : each.end] for each in finished(split(text))]


def test_a_short_text_is_one_passage() -> None:
    assert finished(split("Opening hours: 9 to 5.\n")) == [Passage(0, 22)]


def test_pages_and_sections_are_kept_apart() -> None:
    text = f"{MARK.format(number=1)}\n# Manual\nAll of it.\n## Safety\nGloves.\n\n{MARK.format(number=2)}\nMore.\n"
    assert [(text[p.start : p.end], p.page, p.context) for p in finished(split(text))] == [
        ("# Manual\nAll of it.", 1, "Manual"),
        ("## Safety\nGloves.", 1, "Manual › Safety"),
        ("More.", 2, "Manual › Safety"),
    ]


def test_a_passage_has_the_anchor_of_the_nearest_heading_above() -> None:
    code = 'Code:\n```\n<a id="code"></a>\n```'
    text = f'Intro.\n<a id="%C3%A4-1"></a>\n# Manual\nAll.\n## Safety\n{code}\n'
    assert [(text[p.start : p.end], p.anchor) for p in finished(split(text))] == [
        ("Intro.", ""),
        ("# Manual\nAll.", "ä-1"),
        (f"## Safety\n{code}", "ä-1"),
    ]


def test_a_hash_in_code_is_no_heading() -> None:
    (passage,) = finished(split("Run this:\n```\n# a comment\nmake\n```\n"))
    assert passage.context == ""


def test_paragraphs_stay_whole_if_they_can() -> None:
    paragraphs = [f"{number}. {PARAGRAPH.strip()}" for number in range(12)]
    for passage in texts("\n\n".join(paragraphs)):
        assert all(each in paragraphs for each in passage.split("\n\n"))


def test_rows_of_a_table_have_the_names_of_their_columns() -> None:
    rows = "".join(f"| Part {number} | {number} kg of steel and copper |\n" for number in range(90))
    passages = finished(
        split(f"## Stock\n| Name | Weight |\n|---|---|\n{rows}\nThe end.\n{PARAGRAPH * 5}")
    )
    assert len(passages) > 3
    assert passages[1].context == "Stock › | Name | Weight |"
    assert passages[-1].context == "Stock"


@pytest.mark.parametrize(
    "line",
    [
        PARAGRAPH * 40,
        "洪水が来る。" * 900,
        "洪" * 5000,
        "x" * 9000,
        "ماء النهر؟ " * 500,
        "😀a" * 3000,
    ],
)
def test_a_long_line_is_split_by_its_sentences_or_words(line: str) -> None:
    found = texts(line)
    assert max(len(each.encode()) for each in found) <= TARGET_BYTES + MAX_PIECE_BYTES
    assert "".join("".join(found).split()) == "".join(line.split())


TEXTS = st.text(st.sampled_from("ab #|\n`-.。é洪😀[Page 1]"), max_size=400) | st.text(max_size=200)


@given(TEXTS)
def test_nothing_with_words_is_left_out_or_there_twice(text: str) -> None:
    passages = finished(split(text))
    places = [place for each in passages for place in range(each.start, each.end)]
    assert places == sorted(set(places))
    kept = set(places)
    marks = {line.strip() for line in text.splitlines() if line.startswith("[Page ")}
    for place, character in enumerate(text):
        assert place in kept or not character.isalnum() or marks


@pytest.mark.parametrize(
    "text",
    [f"# {'word ' * 60}\n" + "## a\n" * 30_000, "\n" * 200_000, "- - -\n" * 30_000],
    ids=["headings", "blank", "rules"],
)
def test_no_step_takes_a_large_part_of_a_hostile_text(text: str) -> None:
    took: list[float] = []
    steps = split(text)
    while True:
        began = time.thread_time()
        try:
            next(steps)
        except StopIteration:
            break
        took.append(time.thread_time() - began)
    assert max(took) < sum(took) / 4
