"""Pictures that are something else as well, or cost more than a picture.

What a member or a visitor uploads is sent to other people's browsers. It has to be a PNG, JPEG or WebP,
no page or script that somebody put into it or behind it, and nothing is decoded here.
"""

import struct
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from random import Random

import pytest

from chat.conversations.images.errors import ImageTooLarge, NotAnImage
from chat.conversations.images.store import checked
from chat.lib.pictures.picture_format import picture_format
from chat.lib.pictures.picture_metadata import without_metadata
from tests.support.attacks.chance import chance, naming
from tests.support.variants import examples
from tests.support.widget.pictures import jpeg, png, webp

pytestmark = pytest.mark.quick

PAYLOAD = b"<script>alert('here')</script><?php system('id'); ?>"
VP8L = b"\x2f" + struct.pack("<I", 1 | 1 << 14) + b"\0" * 8
PICTURES = {"png": png(20, 10), "jpeg": jpeg(20, 10), "webp": webp(b"VP8L", VP8L)}
DAMAGED = (NotAnImage, ImageTooLarge)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def riff(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
        for kind, data in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def stored(content: bytes) -> bytes | None:
    """Return what is stored of an upload; None if it is refused."""
    try:
        found = checked(content)
    except DAMAGED:
        return None
    kept = without_metadata(content)
    again = picture_format(kept)
    assert again == found, "what is stored is a picture of the same kind and size"
    assert without_metadata(kept) == kept, "and has nothing more to remove"
    return kept


OTHERS = [
    b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", b"<?xml version='1.0'?><svg/>", b"<html><script>alert(1)</script>",
    b"GIF89a/*" + b"\0" * 40, b"%PDF-1.7\n", b"PK\3\4" + b"\0" * 40, b"#!/bin/sh\n", b"MZ" + b"\0" * 60, b"BM" + b"\0" * 60, b"\0\0\1\0\1\0\x10\x10",
    b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b"\0\0\0\x1cftypavif", b"\0\0\0\x1cftypheic", b"8BPS", b"8BIM", b"\x8aMNG\r\n\x1a\n", b"\x8bJNG\r\n\x1a\n", b"push graphic-context\n",
]  # fmt: skip


@pytest.mark.parametrize("other", OTHERS, ids=lambda each: str(each[:12]))
@pytest.mark.parametrize("kind", PICTURES)
def test_another_type_is_no_picture_before_or_behind_one(kind: str, other: bytes) -> None:
    """Guards reading the type from the first byte to the last one."""
    picture = PICTURES[kind]
    assert stored(other) is None
    assert stored(other + picture) is None
    assert stored(picture[:8] + other + picture[8:]) is None
    kept = stored(picture + other)
    assert kept is None or other not in kept


@pytest.mark.parametrize("kind", PICTURES)
def test_every_beginning_of_a_picture_is_refused(kind: str) -> None:
    """Guards the ends: what a browser guesses of the rest is nobody's decision here."""
    for end in range(len(PICTURES[kind])):
        assert stored(PICTURES[kind][:end]) is None


def hiding_png(random: Random) -> bytes:
    """Return a PNG with the payload in chunks that nobody sees, or that are longer than what is seen."""
    kinds = [
        b"tEXt",
        b"zTXt",
        b"iTXt",
        b"eXIf",
        b"tIME",
        b"hIST",
        b"sPLT",
        b"prVt",
        b"dSIG",
        b"caNv",
        b"gAMA",
        b"pHYs",
        b"tRNS",
        b"PLTE",
    ]
    picture = png(20, 10)
    hidden = b"".join(
        chunk(random.choice(kinds), b"\0" * random.randint(768, 1600) + PAYLOAD)
        for _each in range(random.randint(1, 5))
    )
    place = random.choice([33, len(picture) - 12])  # behind the header, before the end
    return picture[:place] + hidden + picture[place:]


def hiding_jpeg(random: Random) -> bytes:
    """Return a JPEG with the payload in segments of programs, in comments and behind the end."""
    markers = [*range(0xE0, 0xF0), 0xFE, 0xF0, 0xFD]
    starts = [
        b"",
        b"Exif\0\0",
        b"Exif\0\0MM\0*",
        b"JFIF\0",
        b"JFXX\0",
        b"Adobe",
        b"http://ns.adobe.com/xap/1.0/\0",
        b"Photoshop 3.0\0",
    ]
    hidden = b"".join(
        segment(
            random.choice(markers),
            random.choice(starts) + b"\0" * random.randint(14, 900) + PAYLOAD,
        )
        for _each in range(random.randint(1, 5))
    )
    picture = jpeg(20, 10)
    return picture[:2] + hidden + picture[2:] + random.choice([b"", PAYLOAD])


def hiding_webp(random: Random) -> bytes:
    """Return a WebP with the payload in chunks that nobody sees."""
    kinds = [b"EXIF", b"XMP ", b"ABCD", b"META", b"VP8X", b"ICCq", b"\0\0\0\0"]
    head = (
        b"VP8X",
        bytes([random.choice([0, 4, 8, 12])])
        + b"\0\0\0"
        + b"\1\0\0\1\0\0"
        + random.choice([b"", PAYLOAD]),
    )
    hidden = [(random.choice(kinds), PAYLOAD) for _each in range(random.randint(1, 4))]
    chunks = [(b"VP8L", VP8L), *hidden]
    random.shuffle(chunks)
    return riff(head, *chunks)


@pytest.mark.parametrize(
    "hide", [hiding_png, hiding_jpeg, hiding_webp], ids=lambda each: each.__name__
)
def test_scripts_in_metadata_are_removed(hide: object) -> None:
    """Guards `without_metadata`: all but what is shown goes, also from parts with the right name."""
    random, taken = chance(), 0
    for _each in range(examples(1000)):
        content = hide(random)  # type: ignore[operator]
        with naming(content.hex()):
            kept = stored(content)
            taken += kept is not None
            assert kept is None or (b"<script" not in kept and b"<?php" not in kept)
    assert taken, "some are taken, without what they hid"


@pytest.mark.parametrize("kind", PICTURES)
def test_random_changes_give_a_picture_or_none(kind: str) -> None:
    """Guards the readers of lengths and markers: whatever they say, no other error and no long loop."""
    random = chance()
    for _each in range(examples(5000)):
        content = bytearray(PICTURES[kind])
        for _change in range(random.randint(1, 4)):
            at = random.randrange(len(content))
            content[at : at + random.choice([0, 1, 1, 4])] = random.choice(
                [b"", b"\xff", b"\0", b"\xff\xff\xff\xff", random.randbytes(4)]
            )
        with naming(bytes(content).hex()):
            stored(bytes(content))


def bombs() -> Iterator[tuple[str, bytes]]:
    """Yield small files that claim, or are made of, very much."""
    yield "a huge PNG", png(0, 0)[:16] + struct.pack(">II", 2**31 - 1, 2**31 - 1) + png(0, 0)[24:]
    yield "a wide PNG", png(4097, 1)
    yield "a huge JPEG", jpeg(65535, 65535)
    yield "a huge WebP", riff((b"VP8X", b"\0\0\0\0" + b"\xff" * 6), (b"VP8L", VP8L))
    yield "a long chunk", png()[:33] + struct.pack(">I", 2**32 - 1) + b"IDAT"
    yield "many chunks", png()[:-12] + chunk(b"tEXt", b"") * 30_000 + png()[-12:]
    yield "many pixels chunks", png()[:-12] + chunk(b"IDAT", b"") * 30_000 + png()[-12:]
    yield (
        "many chunks of WebP",
        riff((b"VP8X", b"\0" * 4 + b"\1\0\0" * 2), *[(b"ABCD", b"")] * 40_000),
    )
    yield "many segments", jpeg(2, 2)[:2] + segment(0xFE, b"") * 100_000 + jpeg(2, 2)[2:]
    yield "many scans", jpeg(2, 2)[:-2] + segment(0xDA, b"") * 100_000 + b"\xff\xd9"
    yield "much filling", jpeg(2, 2)[:2] + b"\xff" * 1_900_000 + jpeg(2, 2)[2:]
    yield "an endless scan", jpeg(2, 2)[:-2] + b"\xff\0\xff\xd0" * 450_000
    yield (
        "many tags",
        jpeg(2, 2)[:2]
        + segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + b"\1" * 60_000) * 30
        + jpeg(2, 2)[2:],
    )
    yield (
        "a tag beyond",
        jpeg(2, 2)[:2] + segment(0xE1, b"Exif\0\0MM\0*\xff\xff\xff\xff") + jpeg(2, 2)[2:],
    )


BOMBS = dict(bombs())


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_costs_no_more_than_a_picture(what: str) -> None:
    """Guards time and memory: nothing is decoded, and no part is looked at twice."""
    content = BOMBS[what]
    assert len(content) <= 2 * 1024 * 1024 + 2**17
    tracemalloc.start()
    try:
        began = time.thread_time()
        kept = stored(content[: 2 * 1024 * 1024])
        assert time.thread_time() - began < 5
        assert tracemalloc.get_traced_memory()[1] < 40 * 1024 * 1024
    finally:
        tracemalloc.stop()
    if "huge" in what or "wide" in what:
        assert kept is None
