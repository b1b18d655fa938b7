"""A long text is shown in parts, which together are all of it."""

import pytest

from chat.knowledge import reading
from chat.knowledge.reading import part_around, part_from

LINES = "".join(f"line {number}\n" for number in range(200))
PAGES = "[Page 1]\nfirst\n\n[Page 3]\n" + "third\n" * 60 + "\n[Page 4]\n[Page 9]x\nlast\n"


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_PART_CHARS", 100)
    monkeypatch.setattr(reading, "CHARS_BEFORE", 20)


@pytest.mark.parametrize("text", [LINES, "x" * 1000, "short", ""])
def test_parts_follow_each_other(text: str) -> None:
    read, start = "", 0
    while True:
        part = part_from(text, start, has_pages=False)
        assert len(part.after) <= 100
        read += part.after
        if part.next is None:
            break
        assert part.next > start
        start = part.next
    assert read == text


def test_pages_follow_each_other_without_their_marks() -> None:
    read, start, pages = "", 0, []
    while True:
        part = part_from(PAGES, start, has_pages=True)
        read += part.after
        pages.append(part.page)
        if part.next is None:
            break
        start = part.next
    assert read == "first\n\n" + "third\n" * 60 + "\n[Page 9]x\nlast\n"
    assert sorted(set(pages)) == [1, 3, 4]


@pytest.mark.parametrize("start", [0, 7, 500, len(LINES) - 9])
def test_a_passage_is_in_its_part(start: int) -> None:
    part = part_around(LINES, start, start + 5, has_pages=False)
    assert part.passage == LINES[start : start + 5]
    assert len(part.before) <= 40
    assert (part.previous is None) == (start <= 20)


@pytest.mark.parametrize("passage", [(5, 5), (9, 3), (1000, 2000), (-1, 4)])
def test_a_passage_that_is_nowhere_shows_the_beginning(passage: tuple[int, int]) -> None:
    part = part_around("short", *passage, has_pages=False)
    assert (part.before + part.passage + part.after, part.passage) == ("short", "")
