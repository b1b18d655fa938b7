"""Pictures lose what says where, when and by whom they were taken, and look the same."""

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.lib.pictures.picture_format import PictureFormat, picture_format
from chat.lib.pictures.picture_metadata import tiff_of, without_metadata
from tests.support.widget.pictures import jpeg, png, webp

SECRET = b"52.5200 N, 13.4050 E"
SIZE = b"\0" * 4 + (299).to_bytes(3, "little") + (199).to_bytes(3, "little")


def segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def riff(chunks: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def exif(orientation: int, order: str = "<") -> bytes:
    sign = b"II\x2a\0" if order == "<" else b"MM\0\x2a"
    entries = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0) + SECRET[:12]
    return b"Exif\0\0" + sign + struct.pack(f"{order}IH", 8, 2) + entries + SECRET


def photo(*segments: bytes) -> bytes:
    whole = jpeg(300, 200)
    return whole[:2] + b"".join(segments) + whole[2:]


@pytest.mark.parametrize(
    "content",
    [
        png(300, 200)[:-12] + struct.pack(">I", len(SECRET)) + b"tEXt" + SECRET + b"\0" * 4 + png()[-12:],
        photo(segment(0xE1, exif(1)), segment(0xFE, SECRET), segment(0xED, SECRET)),
        photo(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + SECRET)),
        webp(b"VP8X", b"\x0c" + SIZE[1:]) + b"EXIF" + struct.pack("<I", len(SECRET)) + SECRET,
    ],
)  # fmt: skip
def test_metadata_is_removed_and_the_size_stays(content: bytes) -> None:
    if content.startswith(b"RIFF"):
        content = content[:4] + struct.pack("<I", len(content) - 8) + content[8:]
    shown = without_metadata(content)
    assert SECRET in content
    assert SECRET not in shown
    found = picture_format(shown)
    assert found
    assert (found.width, found.height) == (300, 200)
    assert without_metadata(shown) == shown


def test_a_webp_no_longer_promises_metadata() -> None:
    assert without_metadata(webp(b"VP8X", b"\x1c" + SIZE[1:]))[20] == 0x10


def test_far_more_segments_than_photos_have_are_not_read() -> None:
    many = photo(*[segment(0xFE, b"")] * 5000)
    assert without_metadata(many) == many


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_photo_stays_upright(order: str) -> None:
    shown = without_metadata(photo(segment(0xE1, exif(6, order))))
    assert SECRET not in shown
    assert shown[2:4] == b"\xff\xe1"
    assert struct.pack(">HHIH", 0x0112, 3, 1, 6) in shown
    assert without_metadata(shown) == shown


def test_a_picture_without_metadata_stays_as_it_is() -> None:
    for content in (png(), jpeg(3, 2).replace(b"\xff\xff", b"\xff"), webp(b"VP8X", SIZE)):
        assert without_metadata(content) == content


SCAN = b"\xff\xda\0\2" + b"pixels\xff\0\xff\xd0pixels"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (photo() + photo(segment(0xFE, SECRET)), photo()),  # a second picture, as phones append
        (photo() + SECRET, photo()),
        (photo()[:-2] + segment(0xFE, SECRET) + SCAN + photo()[-2:], photo()[:-2] + SCAN + photo()[-2:]),
        (photo(segment(0xF0, SECRET), segment(0xC8, SECRET)), photo()),
        (
            photo(segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\4\4" + SECRET)),
            photo(segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")),
        ),
        (photo(segment(0xEE, b"Adobe" + b"\0" * 7 + SECRET)), photo(segment(0xEE, b"Adobe" + b"\0" * 7))),
    ],
)  # fmt: skip
def test_nothing_hides_in_the_segments_of_a_jpeg_or_after_it(content: bytes, shown: bytes) -> None:
    assert picture_format(content) == PictureFormat("jpeg", 300, 200)
    assert without_metadata(content) == shown.replace(b"\xff\xff", b"\xff")


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        (chunk(b"pHYs", SECRET), b""),
        (chunk(b"pHYs", b"\0" * 9), chunk(b"pHYs", b"\0" * 9)),
        (chunk(b"eXIf", exif(6)[6:]), chunk(b"eXIf", tiff_of(6))),  # browsers turn it
        (chunk(b"eXIf", exif(1)[6:]), b""),
        (chunk(b"eXIf", SECRET), b""),
    ],
)
def test_nothing_hides_in_the_chunks_of_a_png(hidden: bytes, shown: bytes) -> None:
    whole, header = png(300, 200), 33
    assert without_metadata(whole[:header] + hidden + whole[header:]) == (
        whole[:header] + shown + whole[header:]
    )
    assert without_metadata(whole[:-12] + chunk(b"IEND", SECRET)) == whole


def test_nothing_hides_in_the_chunks_of_a_webp() -> None:
    pixels = b"VP8L" + struct.pack("<I", 6) + b"\x2f" + b"\0" * 5
    second = b"VP8L" + struct.pack("<I", len(SECRET)) + SECRET
    content = riff(webp(b"VP8X", SIZE + SECRET)[12:] + pixels + second)
    assert without_metadata(content) == riff(webp(b"VP8X", SIZE)[12:] + pixels)


@given(st.binary(max_size=80), st.sampled_from([b"", b"\xff\xd8\xff", b"RIFF", png()[:40]]))
def test_damaged_pictures_raise_nothing(data: bytes, start: bytes) -> None:
    without_metadata(start + data)


@pytest.mark.parametrize("damaged", [exif(1)[:20], exif(1)[:12], b"Exif\0\0II\x2a\0" + SECRET])
def test_exif_that_is_damaged_is_removed_too(damaged: bytes) -> None:
    shown = without_metadata(photo(segment(0xE1, damaged + SECRET), segment(0xFE, SECRET)))
    assert SECRET not in shown
    assert picture_format(shown) == picture_format(photo())


@pytest.mark.parametrize(
    ("marker", "kept", "removed"),
    [(0xE0, b"JFIF\0", b"JFXX\0"), (0xE2, b"ICC_PROFILE\0", b"MPF\0"), (0xEE, b"Adobe", b"Other")],
)
def test_of_what_programs_add_only_what_changes_the_look_stays(
    marker: int, kept: bytes, removed: bytes
) -> None:
    shown = without_metadata(photo(segment(marker, removed + SECRET), segment(marker, kept)))
    assert SECRET not in shown
    assert segment(marker, kept) in shown
