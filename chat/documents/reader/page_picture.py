"""Draw a page of a PDF, with a passage marked, in the sandbox of the reader.

Standard input has what to draw as a line of JSON, then the PDF; standard output gets a PNG, or
nothing if it can't be drawn. `python -m chat.documents.reader.page_picture`
"""

import sys
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from chat.documents.reader import pdf, sandbox

if TYPE_CHECKING:
    from pypdfium2 import PdfBitmap, PdfPage, PdfTextPage

#: Readable on a large screen; a page as large as a poster is drawn smaller.
SCALE = 2.0
MOST_PIXELS = 1800  # of the longer side
#: Shorter pieces of text are everywhere on a page.
LEAST_CHARACTERS = 3
WORDS_TOGETHER = 3
#: At most so much blue has what is marked, so that white becomes yellow and black stays.
MARKED_BLUE = bytes(min(value, 100) for value in range(256))
CHANNELS = 3
PNG_START = b"\x89PNG\r\n\x1a\n"
RGB = 2  # the colour type in a PNG


class PagePassage(msgspec.Struct, frozen=True):
    """Lines of a page to mark. At least `before` characters of the page's text precede them."""

    page: int  # from 1
    lines: list[str]
    before: int = 0


#: Left, top, right and bottom of a part of the picture, in pixels.
Box = tuple[int, int, int, int]


def main() -> None:
    wanted = msgspec.json.decode(sys.stdin.buffer.readline(), type=PagePassage)
    content = sys.stdin.buffer.read()
    pdf.load()
    sandbox.enter()
    sys.stdout.buffer.write(draw(content, wanted))


def draw(content: bytes, wanted: PagePassage) -> bytes:
    """Return the page as a PNG; nothing if there is no such page."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(content)
        if not 1 <= wanted.page <= len(document):
            return b""
        page = document[wanted.page - 1]
        scale = min(SCALE, MOST_PIXELS / max(*page.get_size(), 1.0))
        bitmap = page.render(scale=scale, rev_byteorder=True)
        return _png(bitmap, _boxes(page, bitmap, wanted))
    except PdfiumError:
        return b""


def _boxes(page: "PdfPage", bitmap: "PdfBitmap", wanted: PagePassage) -> Iterator[Box]:
    """Yield where the lines are. One that is not found where it should be may be before."""
    text, at = page.get_textpage(), wanted.before
    to_bitmap = bitmap.get_posconv(page).to_bitmap
    for line in wanted.lines:
        for first, count in _places(text, line, at):
            at = max(at, first + count)
            for each in range(text.count_rects(first, count)):
                left, bottom, right, top = text.get_rect(each)
                (x1, y1), (x2, y2) = to_bitmap(left, top), to_bitmap(right, bottom)
                yield min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _places(text: "PdfTextPage", line: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield where a line is; if it has a word that was divided, where the rest of it is."""
    if place := _place(text, line.strip(), at):
        yield place
        return
    words = line.split()
    for first in range(0, len(words), WORDS_TOGETHER):
        if place := _place(text, " ".join(words[first : first + WORDS_TOGETHER]), at):
            at = max(at, sum(place))
            yield place


def _place(text: "PdfTextPage", part: str, at: int) -> tuple[int, int] | None:
    if len(part) < LEAST_CHARACTERS:
        return None
    place: tuple[int, int] | None = text.search(part, index=at, match_case=True).get_next()
    return place or text.search(part, match_case=True).get_next()


def _png(bitmap: "PdfBitmap", boxes: Iterable[Box]) -> bytes:
    width, height, stride = bitmap.width, bitmap.height, bitmap.stride
    pixels = bytearray(bitmap.buffer)
    for left, top, right, bottom in boxes:
        for row in range(max(top, 0), min(bottom + 1, height)):
            start = row * stride + max(left, 0) * CHANNELS
            end = row * stride + min(right + 1, width) * CHANNELS
            blue = slice(start + CHANNELS - 1, end, CHANNELS)
            pixels[blue] = pixels[blue].translate(MARKED_BLUE)
    # Each row begins with its filter, which is none.
    starts = range(0, height * stride, stride)
    rows = b"".join(b"\0" + pixels[start : start + width * CHANNELS] for start in starts)
    header = width.to_bytes(4) + height.to_bytes(4) + bytes([8, RGB, 0, 0, 0])
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return PNG_START + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)


if __name__ == "__main__":
    main()
