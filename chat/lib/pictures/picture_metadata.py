"""Remove from a picture what browsers don't show: place, camera, comments, what follows its end.

The pixels are not touched. Of Exif data only the orientation stays, because browsers turn a JPEG
or PNG by it. Call it with pictures whose format is known (picture_format.py). Colour profiles stay
as they are (docs/decisions/0037-own-readers-of-images.md).
"""

import struct
import sys
import zlib

from chat.lib.pictures.picture_format import JPEG_FRAMES
from chat.lib.pictures.picture_parts import (
    JPEG_END,
    JPEG_SCAN,
    PNG,
    jpeg_segments,
    png_chunks,
    webp_chunks,
)

#: Chunks that stay, with their greatest length; what is longer hides something.
SHOWN_PNG = {
    b"IHDR": 13, b"PLTE": 3 * 256, b"IDAT": sys.maxsize, b"tRNS": 256, b"gAMA": 4, b"cHRM": 32,
    b"sRGB": 1, b"iCCP": sys.maxsize, b"sBIT": 4, b"pHYs": 9,
}  # fmt: skip
SHOWN_WEBP = frozenset({b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ICCP"})
WEBP_METADATA = 0x04 | 0x08  # flags of VP8X: XMP, Exif
VP8X_LENGTH = 10
#: Tables, frames, scans and their lengths.
SHOWN_JPEG = JPEG_FRAMES | {0xC4, 0xCC, 0xDB, 0xDC, 0xDD, JPEG_SCAN, JPEG_END}
EXIF, JFIF, ADOBE = 0xE1, 0xE0, 0xEE
#: Segments of applications that change how a JPEG looks, and how they begin: JFIF, a colour
#: profile, Adobe's transform. Others of these numbers have small copies of the picture.
SHOWN_APPLICATIONS = {JFIF: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", ADOBE: b"Adobe"}
JFIF_LENGTH, ADOBE_LENGTH = 14, 12  # without a small copy of the picture, or other data

#: In Exif data, which is a TIFF file.
ORIENTATION = 0x0112
UPRIGHT = 1


def without_metadata(content: bytes) -> bytes:
    """Return the picture without metadata; as it is, if its structure is damaged."""
    try:
        if content.startswith(PNG):
            return _png(content)
        if content.startswith(b"RIFF"):
            return _webp(content)
        return _jpeg(content)
    except (IndexError, ValueError):
        return content


def _png(content: bytes) -> bytes:
    parts = [PNG]
    for kind, data in png_chunks(content):
        if kind == b"eXIf" and (orientation := orientation_in(data) or UPRIGHT) != UPRIGHT:
            parts.append(_png_chunk(kind, tiff_of(orientation)))
        elif len(data) <= SHOWN_PNG.get(kind, -1):
            parts.append(_png_chunk(kind, data))
    return b"".join([*parts, _png_chunk(b"IEND", b"")])


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _webp(content: bytes) -> bytes:
    parts: dict[bytes, bytes] = {}
    for kind, data in webp_chunks(content):
        if kind == b"VP8X":
            data = bytes([data[0] & ~WEBP_METADATA]) + data[1:VP8X_LENGTH]
        if kind in SHOWN_WEBP and kind not in parts:
            parts[kind] = kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    body = b"WEBP" + b"".join(parts.values())
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _jpeg(content: bytes) -> bytes:
    parts, orientation = [], UPRIGHT
    for marker, part in jpeg_segments(content):
        if marker == EXIF and part[4:].startswith(b"Exif\0\0"):
            orientation = orientation_in(part[10:]) or orientation
        elif marker in SHOWN_JPEG:
            parts.append(part)
        elif marker in SHOWN_APPLICATIONS and part[4:].startswith(SHOWN_APPLICATIONS[marker]):
            parts.append(_application(marker, part[4:]))
    turned = [] if orientation == UPRIGHT else [_segment(EXIF, b"Exif\0\0" + tiff_of(orientation))]
    return b"".join([content[:2], *turned, *parts])


def _application(marker: int, data: bytes) -> bytes:
    if marker == JFIF and len(data) > JFIF_LENGTH:
        data = data[: JFIF_LENGTH - 2] + b"\0\0"  # the size of the small copy
    if marker == ADOBE:
        data = data[:ADOBE_LENGTH]
    return _segment(marker, data)


def _segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def orientation_in(tiff: bytes) -> int | None:
    """Return the orientation, from 1 to 8; None if there is none, or none to read."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return None
    try:
        return _orientation_in(tiff, order)
    except struct.error:  # damaged, which must not keep the data in the picture
        return None


def _orientation_in(tiff: bytes, order: str) -> int | None:
    (first,) = struct.unpack_from(f"{order}I", tiff, 4)
    (count,) = struct.unpack_from(f"{order}H", tiff, first)
    for number in range(count):
        tag, _kind, _length, value = struct.unpack_from(
            f"{order}HHIH", tiff, first + 2 + 12 * number
        )
        if tag == ORIENTATION:
            return value if UPRIGHT <= value <= 8 else None
    return None


def tiff_of(orientation: int) -> bytes:
    """Return Exif data with this orientation only."""
    entry = struct.pack(">HHIHH", ORIENTATION, 3, 1, orientation, 0)
    return b"MM\0\x2a" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
