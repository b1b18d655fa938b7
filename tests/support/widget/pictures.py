"""Small pictures of each format, made by hand."""

import struct
import zlib


def png(width: int = 2, height: int = 2, *more: bytes, color: bytes = b"\x0b\x6e\x4f") -> bytes:
    """Return a PNG of one colour; `more` chunks, such as `acTL`, come before its pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + color * width) * height
    chunks = [(b"IHDR", header), *((kind, b"\0" * 8) for kind in more)]
    chunks += [(b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def jpeg(width: int, height: int) -> bytes:
    """Return the segments of a JPEG that give its size, without pixels."""
    application = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0\1\1\0\0\1\0\1\0\0"
    frame = struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0"
    return b"\xff\xd8" + application + b"\xff\xff\xc2" + frame + b"\xff\xda\0\2\xff\xd9"


def webp(kind: bytes, data: bytes) -> bytes:
    body = b"WEBP" + kind + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body
