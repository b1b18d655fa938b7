"""Broken, foreign, oversized or hostile files are refused with a message and change nothing."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.test import override_settings

from chat.accounts.models import User
from chat.errors import BadRequest
from chat.import_export import import_reader
from tests.import_export.trees import exported, new_conversation
from tests.support.variants import later

UNKNOWN = "isn't an export from Runnel, ChatGPT, Claude, Open WebUI or LibreChat"
DAMAGED = "damaged or incomplete"
TOO_LARGE = "too large to import"


@pytest.fixture
def file(alice: User) -> bytes:
    return exported(new_conversation(alice))


def refusal(data: bytes) -> str:
    with pytest.raises(BadRequest) as refused:
        import_reader.check(io.BytesIO(data))
    assert "Nothing was imported." in refused.value.public
    return refused.value.public


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return sink.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"Dear diary",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xfe{\x00}\x00",
        b'[{"title":"x","create_time":1.5}]',
        b'{"format":"else","version":1}',
        b'{"format":"runnel"}',
        b'{"format":"runnel","version":"1"}',
        b'{"version":1,"kind":"conversation","messages":[]}',
        b'{"uuid":"x","messages":[{"sender":"human"}]}',
        b"[" * 1_000_000,
        b'{"a":' * 1_000_000,
    ],
    ids=lambda data: repr(data[:24]),
)
def test_a_file_of_another_program_is_refused(data: bytes) -> None:
    assert UNKNOWN in refusal(data)
    assert UNKNOWN in refusal(zipped({"conversations.json": data}))


def test_a_newer_format_version_is_refused(file: bytes) -> None:
    assert "newer version" in refusal(file.replace(b'"version":1', b'"version":2', 1))


def test_a_truncated_file_is_refused(file: bytes) -> None:
    for end in range(30, len(file) - 2, 7):
        assert DAMAGED in refusal(file[:end])


Change = Callable[[dict[str, Any]], Any]
MESSAGES: list[tuple[Change, str]] = [
    (lambda f: f["messages"][1].update(id=1), "Message 2: It's out of order."),
    (lambda f: f["messages"][1].update(id=9), "Message 2: It's out of order"),
    (lambda f: f["messages"][0].update(parent=1), "Message 1: It doesn't follow an earlier"),
    (lambda f: f["messages"][0].update(parent=3), "Message 1: It doesn't follow"),
    (lambda f: f["messages"][1].update(parent=0), "Message 2: It doesn't follow"),
    (lambda f: f["messages"][1].update(parent=-1), "Message 2: It doesn't follow"),
    (lambda f: f["messages"][2].update(parent=4711), "Message 3: It doesn't follow"),
    (lambda f: f["messages"][2].update(parent=2), "Message 3: It's an answer without a question"),
    (lambda f: f["messages"][1].update(parent=None), "Message 2: It's an answer without a question"),
    (lambda f: f["messages"][0].update(reasoning="x"), "Message 1: It's a question with fields"),
    (lambda f: f["messages"][0].update(text="a\0b"), "Message 1: It contains characters that can't"),
    (lambda f: f["messages"][1]["attempts"][0].update(model="\0"), "Message 2: It contains characters"),
    (lambda f: f.update(title="\0"), "The title can't be stored."),
    (lambda f: f.update(updated_at="0001-01-01T00:00:00+23:59"), "The timestamps are invalid."),
    (lambda f: f.update(created_at="9999-12-31T23:59:59-23:59"), "The timestamps are invalid."),
    (lambda f: f["messages"][0].update(created_at="1969-12-31T23:59:59Z"), "Message 1: The timestamps are invalid"),
    (lambda f: f["messages"][0].update(created_at="2026-01-01T00:00:00"), "timezone"),
    (lambda f: f["messages"][0].update(text=5), "messages[0].text"),
    (lambda f: f["messages"][0].update(id="1"), "messages[0].id"),
    (lambda f: f["messages"][0].update(id=1.5), "messages[0].id"),
    (lambda f: f["messages"][0].update(id=10**40), "can't be imported"),
    (lambda f: f["messages"][0].update(role="system"), "messages[0].role"),
    (lambda f: f["messages"][0].update(owner=1), "owner"),
    (lambda f: f.update(id="9f1c0c5e-4b1a-4f0e-8a55-0d6c1f2e3a4b"), "id"),
    (lambda f: f.update(title="x" * 121), "title"),
    (lambda f: f.update(place="attic"), "place"),
    (lambda f: f.update(messages={}), "messages"),
    (lambda f: f.pop("messages"), "messages"),
    (lambda f: f["messages"][1]["attempts"][0].update(state="running"), "state"),
    (lambda f: f["messages"][1]["attempts"][0].update(length=2**31), "length"),
    (lambda f: f["messages"][1]["attempts"][0]["usage"].update(neurons=-1), "neurons"),
    (lambda f: f["messages"][1]["attempts"][0].update(error={"code": "x", "message": ""}), "error"),
    (lambda f: f["messages"][1]["rating"].update(value=0), "value"),
    (lambda f: f["messages"][1]["rating"].update(user=2), "user"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), MESSAGES)
def test_an_invalid_value_is_named(file: bytes, change: Change, words: str) -> None:
    content = json.loads(file)
    change(content)
    assert words in refusal(json.dumps(content).encode())


def test_numbers_that_are_not_finite_are_refused(file: bytes) -> None:
    for number in (b"1e999", b"NaN", b"Infinity"):
        refusal(file.replace(b'"neurons":0.1', b'"neurons":' + number))


@pytest.mark.parametrize("limit", [100, *later(100_000)])
def test_too_many_messages_are_refused(limit: int, file: bytes) -> None:
    head = file.partition(b'"messages":[')[0]
    said = b'{"id":%d,"parent":null,"role":"user","created_at":"2026-01-01T00:00:00Z"}'
    messages = b",".join(said % number for number in range(1, limit + 2))
    many = head + b'"messages":[' + messages + b"]}"
    with override_settings(MAX_CONVERSATION_MESSAGES=limit):
        assert "more messages than a chat can hold" in refusal(many)
    with override_settings(MAX_CONVERSATION_MESSAGES=1_000_000, MAX_IMPORT_MESSAGES=limit):
        assert TOO_LARGE in refusal(many)
    with override_settings(MAX_IMPORT_MESSAGES=5):
        assert TOO_LARGE in refusal(zipped({f"{n}.json": file for n in range(2)}))


def test_a_deeply_nested_conversation_is_accepted(alice: User, file: bytes) -> None:
    content = json.loads(file)
    content["messages"] = [
        {"id": n, "parent": n - 1 or None, "role": "user", "created_at": content["created_at"]}
        for n in range(1, 10_001)
    ]
    import_reader.check(io.BytesIO(json.dumps(content).encode()))


def test_an_oversized_file_is_not_read(file: bytes) -> None:
    with override_settings(MAX_IMPORT_BYTES=len(file) - 1):
        assert TOO_LARGE in refusal(file)
        assert TOO_LARGE in refusal(zipped({"a.json": file}))


def test_a_zip_bomb_is_not_unpacked(file: bytes) -> None:
    bomb = zipped({"a.json": b'{"format":"runnel","x":"' + b"0" * 20_000_000})
    assert len(bomb) < 50_000
    tracemalloc.start()
    with override_settings(MAX_IMPORT_BYTES=1_000_000):
        assert TOO_LARGE in refusal(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_many_small_zip_bombs_count_together(file: bytes) -> None:
    padded = file.rstrip() + b" " * 900_000
    bomb = zipped({f"{number}.json": padded for number in range(20)})
    with override_settings(MAX_IMPORT_BYTES=1_000_000):
        assert TOO_LARGE in refusal(bomb)


def test_a_zip_file_with_too_many_names_is_not_listed() -> None:
    names = zipped({f"{'n' * 200}{number}": b"" for number in range(20_000)})
    tracemalloc.start()
    assert TOO_LARGE in refusal(names)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_damaged_zip_file_is_refused_or_read_completely(file: bytes) -> None:
    good = zipped({"a.json": file})
    for place in range(2, len(good)):
        bad = good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :]
        with suppress(BadRequest):
            import_reader.check(io.BytesIO(bad))
    for end in range(2, len(good), 11):
        refusal(good[:end])


def test_paths_in_a_zip_file_are_not_followed(alice: User, file: bytes) -> None:
    import_reader.check(io.BytesIO(zipped({"../../../etc/x.json": file, "/abs.json": file})))


def test_a_zip_file_without_chats_is_refused() -> None:
    for files in (
        {},
        {"readme.txt": b"x"},
        {"account.json": b'{"format":"runnel","version":1,"kind":"account"}'},
    ):
        with pytest.raises(BadRequest) as refused:
            import_reader.check(io.BytesIO(zipped(files)))
        assert refused.value.public == "This file contains no chats."


def test_one_invalid_conversation_refuses_the_whole_file(file: bytes) -> None:
    bad = file.replace(b'"id":2', b'"id":1')
    assert "out of order" in refusal(zipped({"a.json": file, "b.json": bad}))


def test_extra_files_from_macos_are_ignored(file: bytes) -> None:
    import_reader.check(io.BytesIO(zipped({"a.json": file, "__MACOSX/._a.json": b"\0\5\x16\7"})))
