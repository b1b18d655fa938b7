"""Read the format and size of a picture from its bytes: PNG, JPEG or WebP, not animated.

This decodes no pixels, so nothing here can be made to use much time or memory. Browsers decode the
picture, with the content type found here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

CONTENT_TYPES = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
PNG = b"\x89PNG\r\n\x1a\n"
#: JPEG markers that start a frame and give its size: SOF0 to SOF15 without DHT, JPG and DAC.
JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length
#: Before the pixels, counting each byte that fills. Pictures have some dozens.
MAX_JPEG_MARKERS = 4096
ANIMATION = 0x02  # a flag of WebP's VP8X


@dataclass(frozen=True, slots=True)
class PictureFormat:
    kind: str  # a key of `CONTENT_TYPES`
    width: int
    height: int


def picture_format(content: bytes) -> PictureFormat | None:
    """Return the format; None for all else, also for animations and for data after the picture."""
    try:
        found = _png(content) or _jpeg(content) or _webp(content)
    except (IndexError, ValueError):
        return None
    return found if found and found.width and found.height else None


def _png(content: bytes) -> PictureFormat | None:
    if not content.startswith(PNG) or content[12:16] != b"IHDR":
        return None
    chunks = list(_png_chunks(content))
    is_whole = chunks[-1] == b"IEND" and b"IDAT" in chunks
    if not is_whole or b"acTL" in chunks:
        return None
    return PictureFormat("png", _big(content[16:20]), _big(content[20:24]))


def _png_chunks(content: bytes) -> Iterator[bytes]:
    place = len(PNG)
    while place < len(content):
        yield content[place + 4 : place + 8]
        place += 12 + _big(content[place : place + 4])
    if place != len(content):
        raise ValueError("truncated")


def _jpeg(content: bytes) -> PictureFormat | None:
    if not (content.startswith(b"\xff\xd8\xff") and content.endswith(b"\xff\xd9")):
        return None
    place = 2
    for _number in range(MAX_JPEG_MARKERS):
        marker = content[place + 1]
        if content[place] != 0xFF:
            return None
        if marker in JPEG_FRAMES:
            height, width = (
                _big(content[place + 5 : place + 7]),
                _big(content[place + 7 : place + 9]),
            )
            return PictureFormat("jpeg", width, height)
        has_length = marker not in JPEG_ALONE and marker != 0xFF  # 0xFF fills
        place += 2 + _big(content[place + 2 : place + 4]) if has_length else 1 + (marker != 0xFF)
    return None


def _webp(content: bytes) -> PictureFormat | None:
    is_whole = int.from_bytes(content[4:8], "little") + 8 == len(content)
    if not is_whole or content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return None
    kind, data = content[12:16], content[20:]
    if kind == b"VP8X" and not data[0] & ANIMATION:
        return PictureFormat("webp", _little(data[4:7]) + 1, _little(data[7:10]) + 1)
    if kind == b"VP8L" and data[0] == 0x2F:
        bits = _little(data[1:5])
        return PictureFormat("webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 " and data[3:6] == b"\x9d\x01\x2a":
        width, height = _little(data[6:8]), _little(data[8:10])
        return PictureFormat("webp", width & 0x3FFF, height & 0x3FFF)
    return None


def _big(part: bytes) -> int:
    return int.from_bytes(part, "big")


def _little(part: bytes) -> int:
    return int.from_bytes(part, "little")
