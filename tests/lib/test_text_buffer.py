"""A text of many pieces is what its pieces are, and takes little more memory than itself."""

import tracemalloc

import pytest

from chat.lib.text_buffer import PIECES_PER_BLOCK, TextBuffer


@pytest.mark.parametrize("count", [0, 1, PIECES_PER_BLOCK, PIECES_PER_BLOCK * 3 + 1])
def test_it_is_what_was_appended(count: int) -> None:
    buffer, pieces = TextBuffer(), [f"{number} ä" for number in range(count)]
    for piece in pieces:
        buffer.append(piece)
    assert str(buffer) == "".join(pieces)
    assert bool(buffer) == bool(count)


def test_it_takes_little_more_memory_than_its_text() -> None:
    buffer = TextBuffer()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(5_000):
        buffer.append(f"word {number} ")
    grown_by = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown_by < 1.5 * len(str(buffer))
