"""Divide a picture into its parts: a JPEG's segments, the chunks of a PNG or WebP.

This decodes no pixels, so nothing here can be made to use much time or memory. All functions raise
`ValueError` if a part is damaged or missing.
"""

import re
from collections.abc import Iterator

PNG = b"\x89PNG\r\n\x1a\n"
JPEG_SCAN, JPEG_END = 0xDA, 0xD9
JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD8), JPEG_END})  # markers without a length
#: Pictures have some dozens.
MAX_JPEG_MARKERS = 4096
_MARKER = re.compile(rb"\xff{1,64}([^\x00\xff])")  # bytes of 0xFF before it fill
#: What ends the pixels of a scan: a marker that isn't one of those within them.
_AFTER_SCAN = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")


def jpeg_segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each segment's marker and bytes, a scan with its pixels, up to the picture's end.

    What follows the end is left out: phones append other pictures and videos.
    """
    if not content.startswith(b"\xff\xd8"):
        raise ValueError("no JPEG")
    place, marker = 2, 0
    for _number in range(MAX_JPEG_MARKERS):
        match = _MARKER.match(content, place)
        if not match:
            raise ValueError("no marker")
        marker, place = match[1][0], _end_of_segment(content, match)
        yield marker, content[match.end() - 2 : place]
        if marker == JPEG_END:
            return
    raise ValueError("too many markers")


def _end_of_segment(content: bytes, match: re.Match[bytes]) -> int:
    end, marker = match.end(), match[1][0]
    if marker not in JPEG_ALONE:
        end = _checked(end + int.from_bytes(content[end : end + 2], "big"), content)
    if marker != JPEG_SCAN:
        return end
    after = _AFTER_SCAN.search(content, end)
    if not after:
        raise ValueError("truncated")
    return after.start()


def png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and data of each chunk. Nothing may follow the last one, which is IEND."""
    if not content.startswith(PNG):
        raise ValueError("no PNG")
    place, kind = len(PNG), b""
    while kind != b"IEND":
        kind = content[place + 4 : place + 8]
        end = _checked(place + 12 + int.from_bytes(content[place : place + 4], "big"), content)
        yield kind, content[place + 8 : end - 4]
        place = end
    if place != len(content):
        raise ValueError("more after the end")


def webp_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and data of each chunk. Nothing may follow the last one."""
    is_whole = int.from_bytes(content[4:8], "little") + 8 == len(content)
    if not is_whole or content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        raise ValueError("no WebP")
    place = 12
    while place < len(content):
        length = int.from_bytes(content[place + 4 : place + 8], "little")
        end = _checked(place + 8 + length, content)
        yield content[place : place + 4], content[place + 8 : end]
        place = end + length % 2


def _checked(end: int, content: bytes) -> int:
    if end > len(content):
        raise ValueError("truncated")
    return end
