"""The format and size of pictures are read from their bytes."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.lib.pictures.picture_format import PictureFormat, picture_format
from tests.support.widget.pictures import jpeg, png, webp

LOSSLESS = webp(b"VP8L", b"\x2f" + struct.pack("<I", (299) | (199 << 14)) + b"\0")
LOSSY = webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 300, 200))
EXTENDED = webp(b"VP8X", b"\0\0\0\0" + (299).to_bytes(3, "little") + (199).to_bytes(3, "little"))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (png(300, 200), "png"),
        (jpeg(300, 200), "jpeg"),
        (LOSSLESS, "webp"),
        (LOSSY, "webp"),
        (EXTENDED, "webp"),
    ],
)
def test_each_format_is_known_with_its_size(content: bytes, kind: str) -> None:
    assert picture_format(content) == PictureFormat(kind, 300, 200)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"GIF89a\1\0\1\0\0\0\0;",
        png()[:-1],
        png() + b"<script>",
        png(0, 2),
        png(2, 2, b"acTL"),  # animated
        jpeg(2, 2)[:-2],
        jpeg(2, 2)[:-4] + b"\xff\xd9",  # no end: those bytes are taken for the scan's length
        jpeg(2, 2)[:-6] + jpeg(3, 3)[2:],  # two frames
        b"\xff\xd8\xff\xd9",
        b"\xff\xd8\xff\xe0\xff\xd9",
        b"\xff\xd8" + b"\xff" * 5000 + jpeg(2, 2)[2:],  # far more filling than pictures have
        LOSSY + b"more",
        webp(b"VP8X", b"\x02" + b"\0" * 9),  # animated
        webp(b"VP8 ", b""),
        webp(b"ICCP", b"\0" * 10),
    ],
)
def test_all_else_is_no_picture(content: bytes) -> None:
    assert picture_format(content) is None


@pytest.mark.parametrize("more", [b"PK\3\4", jpeg(9, 9), b"\xff"])
def test_a_jpeg_may_be_followed_by_what_phones_append(more: bytes) -> None:
    assert picture_format(jpeg(300, 200) + more) == PictureFormat("jpeg", 300, 200)


@given(
    st.sampled_from([png(), jpeg(9, 9), LOSSLESS, LOSSY, EXTENDED]),
    st.integers(0, 80),
    st.binary(max_size=8),
)
def test_damaged_files_raise_nothing(content: bytes, place: int, damage: bytes) -> None:
    found = picture_format(content[:place] + damage + content[place + len(damage) :])
    assert found is None or found.width > 0
