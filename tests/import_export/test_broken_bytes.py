"""Whatever bytes an uploaded file has, the answer says what is wrong with it."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.errors import BadRequest
from chat.import_export import import_reader, prompt_files
from chat.web.review.members.forms import InviteForm
from tests.import_export.foreign_files import FILES
from tests.import_export.own_file import OWN
from tests.support.variants import examples


def chats(data: bytes) -> None:
    list(import_reader.conversations_in(io.BytesIO(data)))
    import_reader.check(io.BytesIO(data))


def zipped(data: bytes) -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("chat.json", data)
    chats(packed.getvalue())


def people(data: bytes) -> None:
    form = InviteForm({}, {"file": SimpleUploadedFile("people.csv", data)})
    form.fields.pop("group")  # its choices are in the database
    form.is_valid()


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


PROMPTS = {"kind": "prompts", "prompts": [{"name": "A", "text": "B"}]}
WEBUI_PROMPTS = [{"command": "/a", "title": "A", "content": "B"}]
DOORS: dict[str, tuple[Callable[[bytes], object], bytes]] = {
    "own": (chats, encoded(OWN)),
    "own in a zip": (zipped, encoded(OWN)),
    **{name: (chats, encoded([make()])) for name, make in FILES.items()},
    "prompts": (prompt_files._read, encoded(PROMPTS)),
    "prompts of Open WebUI": (prompt_files._read, encoded(WEBUI_PROMPTS)),
    "people": (people, b'a@example.org,Group\r\n"b@example.org",\n'),
}
#: No UTF-8, escapes of half characters, NULs, byte order marks, quotes, too deep.
BROKEN = [
    b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\\ud800", b"\\u0000", b"\0", b"\xef\xbb\xbf", b'"',
    b"\\", b"[" * 5000, b"{" * 5000, b"1e999", b"9" * 5000, b"NaN", b"\r", b"x" * 200_000,
]  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_good_files_are_read(door: str) -> None:
    read, good = DOORS[door]
    read(good)


@pytest.mark.parametrize("door", DOORS)
def test_broken_bytes_anywhere_are_refused_or_read(door: str) -> None:
    read, good = DOORS[door]
    for data in broken(good):
        with suppress(BadRequest):
            read(data)


def broken(good: bytes) -> Iterator[bytes]:
    for piece in BROKEN:
        yield piece
        for place in range(0, len(good) + 1, max(1, len(good) // 60)):
            yield good[:place] + piece + good[place:]
            yield good[:place] + piece
        for place in (at for at in range(len(good)) if good[at : at + 2] == b'"R'):
            yield good[: place + 1] + piece + good[place + 1 :]


@pytest.mark.parametrize("door", DOORS)
@settings(max_examples=examples(200), deadline=None)
@given(data=st.data())
def test_any_bytes_are_refused_or_read(door: str, data: st.DataObject) -> None:
    read, good = DOORS[door]
    place = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 8))
    other = data.draw(st.binary(max_size=8))
    with suppress(BadRequest):
        read(good[:place] + other + good[place + cut :])


@settings(max_examples=examples(200), deadline=None)
@given(place=st.integers(0, 600), other=st.binary(max_size=8))
def test_a_damaged_zip_file_is_refused_or_read(place: int, other: bytes) -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("chat.json", encoded(OWN))
    good = packed.getvalue()
    with suppress(BadRequest):
        chats(good[:place] + other + good[place + len(other) :])
