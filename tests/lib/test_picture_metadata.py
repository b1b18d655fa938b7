"""Pictures lose what says where, when and by whom they were taken, and look the same."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.lib.pictures.picture_format import picture_format
from chat.lib.pictures.picture_metadata import without_metadata
from tests.support.widget.pictures import jpeg, png, webp

SECRET = b"52.5200 N, 13.4050 E"
SIZE = b"\0" * 4 + (299).to_bytes(3, "little") + (199).to_bytes(3, "little")


def segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


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


@given(st.binary(max_size=80), st.sampled_from([b"", b"\xff\xd8\xff", b"RIFF", png()[:40]]))
def test_damaged_pictures_raise_nothing(data: bytes, start: bytes) -> None:
    without_metadata(start + data)
