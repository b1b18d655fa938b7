"""Remove from a picture what browsers don't show: place, camera, comments.

The pixels are not touched. Of a JPEG's Exif data only the orientation stays, because browsers turn
the picture by it. Call it with pictures whose format is known (picture_format.py).
"""

import struct
from collections.abc import Iterator

from chat.lib.pictures.picture_format import JPEG_ALONE, MAX_JPEG_MARKERS, PNG

SHOWN_PNG = frozenset({
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT",
    b"pHYs",
})  # fmt: skip
SHOWN_WEBP = frozenset({b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ICCP"})
WEBP_METADATA = 0x04 | 0x08  # flags of VP8X: XMP, Exif
EXIF, COMMENT, SCAN = 0xE1, 0xFE, 0xDA
#: Segments of applications that change how a JPEG looks: JFIF, a colour profile, Adobe's transform.
SHOWN_APPLICATIONS = frozenset({0xE0, 0xE2, 0xEE})
ORIENTATION = 0x0112
UPRIGHT = 1


def without_metadata(content: bytes) -> bytes:
    """Return the picture without metadata; as it is, if its structure is damaged."""
    try:
        if content.startswith(PNG):
            return PNG + b"".join(_shown_chunks(content))
        if content.startswith(b"RIFF"):
            return _webp(content)
        return _jpeg(content)
    except (IndexError, ValueError, struct.error):
        return content


def _shown_chunks(content: bytes) -> Iterator[bytes]:
    place = len(PNG)
    while place < len(content):
        end = place + 12 + int.from_bytes(content[place : place + 4], "big")
        if content[place + 4 : place + 8] in SHOWN_PNG:
            yield content[place:end]
        place = end


def _webp(content: bytes) -> bytes:
    place, parts = 12, []
    while place < len(content):
        kind, length = (
            content[place : place + 4],
            int.from_bytes(content[place + 4 : place + 8], "little"),
        )
        end = place + 8 + length + length % 2
        if kind == b"VP8X":
            flags = content[place + 8] & ~WEBP_METADATA
            parts.append(content[place : place + 8] + bytes([flags]) + content[place + 9 : end])
        elif kind in SHOWN_WEBP:
            parts.append(content[place:end])
        place = end
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _jpeg(content: bytes) -> bytes:
    parts, place, orientation, count = [], 2, UPRIGHT, 0
    while (marker := content[place + 1]) != SCAN:
        count += 1
        if content[place] != 0xFF or count > MAX_JPEG_MARKERS:
            raise ValueError("no marker, or too many")
        if marker == 0xFF:  # fills
            place += 1
            continue
        alone = marker in JPEG_ALONE
        end = place + 2 + (0 if alone else int.from_bytes(content[place + 2 : place + 4], "big"))
        if marker == EXIF:
            orientation = _orientation(content[place + 4 : end]) or orientation
        elif marker in SHOWN_APPLICATIONS or not (0xE0 <= marker <= 0xEF or marker == COMMENT):
            parts.append(content[place:end])
        place = end
    turned = [] if orientation == UPRIGHT else [_exif(orientation)]
    return b"".join([content[:2], *turned, *parts, content[place:]])


def _orientation(data: bytes) -> int | None:
    """Return the orientation in Exif data, from 1 to 8."""
    if not data.startswith(b"Exif\0\0"):
        return None
    tiff = data[6:]
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return None
    (first,) = struct.unpack_from(f"{order}I", tiff, 4)
    (count,) = struct.unpack_from(f"{order}H", tiff, first)
    for number in range(count):
        tag, _kind, _length, value = struct.unpack_from(
            f"{order}HHIH", tiff, first + 2 + 12 * number
        )
        if tag == ORIENTATION:
            return value if UPRIGHT <= value <= 8 else None
    return None


def _exif(orientation: int) -> bytes:
    entry = struct.pack(">HHIHH", ORIENTATION, 3, 1, orientation, 0)
    data = b"Exif\0\0MM\0\x2a" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    return struct.pack(">BBH", 0xFF, EXIF, len(data) + 2) + data
