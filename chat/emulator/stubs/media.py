"""Make a small picture and a short sound that say where they come from."""

import math
import struct
import zlib

WORD = "EMULATOR"
SAYS_SO = "Made by the built-in Workers AI emulator. There is no model behind it."
SCALE = 6  # pixels of a dot
RATE = 8000  # samples per second
SECONDS = 0.5
TONE_HERTZ = 440
_LETTERS = {
    "E": "11111 10000 10000 11110 10000 10000 11111",
    "M": "10001 11011 10101 10101 10001 10001 10001",
    "U": "10001 10001 10001 10001 10001 10001 01110",
    "L": "10000 10000 10000 10000 10000 10000 11111",
    "A": "01110 10001 10001 11111 10001 10001 10001",
    "T": "11111 00100 00100 00100 00100 00100 00100",
    "O": "01110 10001 10001 10001 10001 10001 01110",
    "R": "11110 10001 10001 11110 10100 10010 10001",
}


def picture() -> bytes:
    """Return a PNG file that shows the word, with the whole sentence as its comment."""
    rows = ["0".join(_LETTERS[letter].split()[row] for letter in WORD) for row in range(7)]
    rows = ["0" * len(rows[0]), *rows, "0" * len(rows[0])]
    lines = []
    for row in rows:
        dots = "".join(dot * SCALE for dot in f"0{row}0")
        lines += [b"\0" + bytes(0 if dot == "1" else 255 for dot in dots)] * SCALE
    width, height = len(lines[0]) - 1, len(lines)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
            _png_chunk(b"tEXt", b"Comment\0" + SAYS_SO.encode("latin-1")),
            _png_chunk(b"IDAT", zlib.compress(b"".join(lines))),
            _png_chunk(b"IEND", b""),
        )
    )


def sound() -> bytes:
    """Return a WAV file with a short tone, with the sentence as its comment."""
    samples = b"".join(
        struct.pack("<h", int(8000 * math.sin(2 * math.pi * TONE_HERTZ * at / RATE)))
        for at in range(int(RATE * SECONDS))
    )
    comment = SAYS_SO.encode("latin-1") + b"\0" * (2 - len(SAYS_SO) % 2)
    body = b"WAVE" + b"".join(
        (
            _riff_chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, RATE, RATE * 2, 2, 16)),
            _riff_chunk(b"LIST", b"INFO" + _riff_chunk(b"ICMT", comment)),
            _riff_chunk(b"data", samples),
        )
    )
    return _riff_chunk(b"RIFF", body)


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _riff_chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data
