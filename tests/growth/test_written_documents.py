"""What a chat is written as is as long as its text, times a constant, whatever is in it.

So a few kilobytes make no large file. `test_text_readers.py` measures the time of the same writers.
"""

from collections.abc import Callable
from html import escape

import pytest

from chat.generations.delivery.encoders.html import HtmlEncoder
from chat.generations.log.frames import frames_of
from chat.import_export import markdown
from chat.import_export.docx import parts
from chat.import_export.docx.elements import Numbering, plain_paragraph
from chat.import_export.docx.markup import MAX_MISSING_CELLS, answer_markup
from chat.templatetags.breakable import breakable
from chat.upstream.events import Text
from tests.growth.hostile_texts import texts

SIZE, FACTOR = 400, 4
#: What the longest few elements need, as headings of a table and the numbering of a list.
MAX_LENGTH_PER_CHARACTER = 200


def word_answer(text: str) -> str:
    numbering = Numbering()
    written = answer_markup(text, numbering)
    return written + parts.document_relations(numbering) + parts.lists_part(numbering)


def streamed_html(text: str) -> bytes:
    return HtmlEncoder().frames(b"".join(frames_of(Text(text), 1)))


WRITERS: dict[str, Callable[[str], str | bytes]] = {
    "an answer in Word": word_answer,
    "a question in Word": plain_paragraph,
    "an answer in Markdown": markdown.closed,
    "a question in Markdown": markdown.quoted,
    "a page to print": breakable,
    "a page without scripts": streamed_html,
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_written_text_is_no_longer_than_a_constant_times_its_length(
    write: Callable[[str], str | bytes],
) -> None:
    empty = len(write(""))
    for make in texts():
        small, large = make(SIZE), make(FACTOR * SIZE)
        lengths = [len(write(text)) - empty for text in (small, large)]
        assert lengths[1] <= MAX_LENGTH_PER_CHARACTER * len(large), repr(small[:30])
        growth = len(escape(large)) / len(escape(small))
        assert lengths[1] <= 1.5 * growth * max(lengths[0], len(small)), repr(small[:30])


@pytest.mark.parametrize("columns", [2, 63, 300])
def test_a_table_is_no_longer_than_a_constant_times_its_text(columns: int) -> None:
    head = "|a" * columns + "|\n" + "|-" * columns + "|\n"
    table = head + "a|\n" * (MAX_MISSING_CELLS * 10 // columns) + "\n"
    assert len(word_answer(table)) <= MAX_LENGTH_PER_CHARACTER * len(table)


def test_the_rows_of_a_table_may_lack_some_cells() -> None:
    table = "|a|b|c|\n|-|-|-|\n" + "d|\n" * 100
    assert word_answer(table).count("<w:tr>") == 101
