"""Read the format and size of a picture from its bytes: PNG, JPEG or WebP, not animated.

No pixels are decoded here (picture_parts.py). Browsers decode the picture, with the content type
found here.
"""

from dataclasses import dataclass

from chat.lib.pictures.picture_parts import jpeg_segments, png_chunks, webp_chunks

CONTENT_TYPES = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
#: JPEG markers that start a frame and give its size: SOF0 to SOF15 without DHT, JPG and DAC.
JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
PNG_HEADER_LENGTH = 13
ANIMATION = 0x02  # a flag of WebP's VP8X


@dataclass(frozen=True, slots=True)
class PictureFormat:
    kind: str  # a key of `CONTENT_TYPES`
    width: int
    height: int


def picture_format(content: bytes) -> PictureFormat | None:
    """Return the format; None for all else, also for animations and damaged pictures.

    After a PNG or WebP nothing may follow. What follows a JPEG must be removed, with its metadata
    (picture_metadata.py).
    """
    reader = {b"\x89": _png, b"\xff": _jpeg, b"R": _webp}.get(content[:1])
    try:
        picture = reader(content) if reader else None
    except (IndexError, ValueError):
        return None
    return picture if picture and picture.width and picture.height else None


def _png(content: bytes) -> PictureFormat | None:
    chunks = list(png_chunks(content))
    kinds = {kind for kind, _data in chunks}
    first, header = chunks[0]
    if first != b"IHDR" or len(header) != PNG_HEADER_LENGTH:
        return None
    if b"IDAT" not in kinds or b"acTL" in kinds:
        return None
    return PictureFormat("png", _big(header[:4]), _big(header[4:8]))


def _jpeg(content: bytes) -> PictureFormat | None:
    (frame,) = [part for marker, part in jpeg_segments(content) if marker in JPEG_FRAMES]
    return PictureFormat("jpeg", width=_big(frame[7:9]), height=_big(frame[5:7]))


def _webp(content: bytes) -> PictureFormat | None:
    (kind, data), *_others = webp_chunks(content)
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
