"""Chats as files that were made to harm: by their size, their shape or the names in them.

A member uploads what they like, 60 MB at a time. No file may use memory or time out of proportion to
its size, write anywhere, or become something that the site can't show. Decoding stops the whole
process, so a file of too many values has to be refused before it is decoded.
"""

import io
import json
import struct
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from django.test import override_settings

from chat.errors import BadRequest
from chat.import_export import import_reader
from chat.import_export.file_format import ConversationFile
from tests.import_export.foreign_files import FILES
from tests.support.attacks.chance import NASTY_VALUES, chance, naming, places_in
from tests.support.variants import examples

pytestmark = pytest.mark.quick

WHEN = "2026-01-01T00:00:00Z"
QUESTION = {"id": 1, "parent": None, "role": "user", "created_at": WHEN, "text": "Why?"}
ATTEMPT = {"state": "complete", "model": "m", "started_at": WHEN}
ANSWER = {
    "id": 2, "parent": 1, "role": "assistant", "created_at": WHEN, "text": "So", "attempts": [ATTEMPT],
    "rating": {"value": 1, "rated_at": WHEN},
}  # fmt: skip
CHAT: dict[str, Any] = {
    "format": "runnel", "version": 1, "kind": "conversation", "title": "Rivers", "place": "listed", "created_at": WHEN,
    "updated_at": WHEN, "project": "P", "tags": ["t"], "messages": [QUESTION, ANSWER],
}  # fmt: skip
MAKERS: dict[str, Callable[[], Any]] = {"own": lambda: deepcopy(CHAT), **FILES}
#: The limits of this site, made small, so that small files exceed them.
SMALL = {"MAX_IMPORT_BYTES": 400_000, "MAX_CONVERSATION_MESSAGES": 50, "MAX_IMPORT_MESSAGES": 200}


@contextmanager
def bounded(megabytes: float, seconds: float = 20) -> Iterator[None]:
    """Expect the block to take no more memory, nor far more time than it needs."""
    tracemalloc.start()
    began = time.thread_time()
    try:
        yield
        assert time.thread_time() - began < seconds
        assert tracemalloc.get_traced_memory()[1] < megabytes * 1024 * 1024
    finally:
        tracemalloc.stop()


def read(data: bytes) -> list[ConversationFile]:
    """Read a file as the site does; return its chats, which can be stored and shown."""
    found = list(import_reader.conversations_in(io.BytesIO(data)))
    for each in found:
        each.title.encode()
        for number, said in enumerate(each.messages, 1):
            assert said.id == number
            assert said.parent is None or 1 <= said.parent < number
            assert "\0" not in said.text + said.reasoning
            (said.text + said.reasoning).encode()
    return found


def refused(data: bytes) -> str:
    """Return in which words the file is refused."""
    with pytest.raises(BadRequest) as caught:
        import_reader.check(io.BytesIO(data))
    words = str(caught.value.public)
    assert "Nothing was imported" in words
    return words


def zipped(*entries: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return packed.getvalue()


def encoded(value: object) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


@override_settings(**SMALL)
@pytest.mark.parametrize("count", [1, 40])
def test_a_zip_bomb_is_refused_when_it_reaches_the_limit(count: int) -> None:
    """Guards `_unpacked`: without its limit, each entry takes 50 MB."""
    bomb = zipped(*((f"{number}.json", b" " * 50_000_000) for number in range(1)))
    if count > 1:  # each within the limit, but not together
        bomb = zipped(*((f"{number}.json", b" " * 399_000) for number in range(count)))
    with bounded(megabytes=4):
        words = refused(bomb)
    assert "too large" in words or "isn't an export" in words


@override_settings(**SMALL)
def test_zip_files_in_zip_files_are_not_opened() -> None:
    packed = zipped(("chat.json", encoded(CHAT)))
    for _depth in range(5):
        packed = zipped(("chat.json", packed))
    assert "isn't an export" in refused(packed)


@override_settings(**SMALL)
def test_a_zip_file_that_lies_about_sizes_takes_no_more() -> None:
    """Guards reading at most what is allowed, whatever the directory says."""
    good = zipped(("chat.json", b" " * 3_000_000))
    for lie in (0, 1, 2**31, 2**32 - 1):
        size = struct.pack("<I", lie)
        bomb = good.replace(struct.pack("<I", 3_000_000), size)
        with bounded(megabytes=4):
            refused(bomb)


@pytest.mark.parametrize(
    "name",
    ["../../outside.json", "/tmp/outside.json", "C:\\outside.json", "a/" * 500 + "x.json", "\u202enosj.json", "a\n.json", "con.json", "..json"],
)  # fmt: skip
def test_names_in_a_zip_file_are_no_paths(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guards that entries are read from memory: nothing appears in or beside the folder."""
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    with suppress(BadRequest):
        read(zipped((name, encoded(CHAT))))
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "a", inside]
    assert not Path("/tmp/outside.json").exists()


VALUES = [b'"ab",', b"[],", b"{},", b'[["ab"]],', b"12345,", b'{"a":"ab"},']


@override_settings(**SMALL)
@pytest.mark.parametrize("program", MAKERS)
def test_endless_lists_in_any_place_are_refused_before_they_are_decoded(program: str) -> None:
    """Guards the types of `Stamp` and `_Keys`, and the count of values before an own file is decoded."""
    maker, random = MAKERS[program], chance()
    spots = list(places_in(maker()))
    count = len(spots) if program == "own" else examples(10)
    for at in random.sample(range(len(spots)), count):
        chat = maker()
        container, key = list(places_in(chat))[at]
        container[key] = "LONG LIST"
        value = random.choice(VALUES)
        data = encoded(chat).replace(b'"LONG LIST"', b"[" + value * (390_000 // len(value)) + b"1]")
        with naming((key, value)), bounded(megabytes=3), suppress(BadRequest):
            import_reader.check(io.BytesIO(data))


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":[', b'{"mapping":'])
@pytest.mark.parametrize("program", MAKERS)
def test_endless_brackets_anywhere_are_refused(program: str, opening: bytes) -> None:
    good, random = encoded(MAKERS[program]()), chance()
    for at in [0, *random.sample(range(len(good)), examples(20))]:
        with naming(at), suppress(BadRequest):
            read(good[:at] + opening * 20_000 + good[at:])


@override_settings(**SMALL)
def test_too_many_tiny_messages_are_refused() -> None:
    """Guards both limits: of messages in one chat, and of all chats of a file."""
    many = [QUESTION | {"id": number} for number in range(1, 52)]
    assert "more messages than a chat can hold" in refused(encoded(CHAT | {"messages": many}))
    chats = ((f"{number}.json", encoded(CHAT | {"messages": many[:40]})) for number in range(6))
    assert "too large" in refused(zipped(*chats))


def test_cycles_duplicates_and_foreign_numbers_never_become_a_chat() -> None:
    """Guards `tree_problem`: numbers that repeat, point forwards, at themselves or outside."""
    random = chance()
    for _each in range(examples(2000)):
        messages = [
            QUESTION | {"id": number, "parent": number - 1 or None, "role": role} | extra
            for number, (role, extra) in enumerate(
                [("user", {}), ("assistant", {}), ("user", {}), ("assistant", {})], 1
            )
        ]
        for _change in range(random.randint(1, 3)):
            said = random.choice(messages)
            said[random.choice(["id", "parent"])] = random.choice(
                [None, -1, 0, 1, 2, 3, 4, 5, 2**31, 2**63, 2**64, 1.0, "1", True]
            )
        random.shuffle(messages) if random.random() < 0.3 else None
        with naming(messages), suppress(BadRequest):
            read(encoded(CHAT | {"messages": messages}))


@pytest.mark.parametrize("program", MAKERS)
def test_any_value_in_any_place_is_refused_or_can_be_stored(program: str) -> None:
    """Guards every field: NUL, half characters, direction marks, numbers beyond any column."""
    random = chance()
    for _each in range(examples(600)):
        chat = MAKERS[program]()
        container, key = random.choice(list(places_in(chat)))
        container[key] = deepcopy(random.choice([*NASTY_VALUES, "\ud800", "a\udfff", "\ud83d x"]))
        data = encoded(chat)
        with naming((key, container[key])), suppress(BadRequest):
            read(data if random.random() < 0.5 else zipped(("conversations.json", data)))


@pytest.mark.parametrize("key", ["owner", "owner_id", "user", "conversation_id", "pk", "uuid", "is_staff", "__proto__", "project_id", "held"])  # fmt: skip
@pytest.mark.parametrize("where", ["chat", "message"])
def test_an_own_file_can_not_name_an_owner_or_a_row(where: str, key: str) -> None:
    """Guards strict reading: keys that the format doesn't have are refused, not ignored."""
    chat = deepcopy(CHAT)
    (chat if where == "chat" else chat["messages"][0])[key] = 1
    assert f"unknown field {key}" in refused(encoded(chat))


def test_random_bytes_in_a_zip_file_are_refused_or_read() -> None:
    random = chance()
    good = zipped(
        ("a.json", encoded(CHAT)),
        ("b.json", encoded([FILES["chatgpt"]()])),
    )
    for _each in range(examples(1500)):
        data = bytearray(good)
        for _change in range(random.randint(1, 6)):
            data[random.randrange(len(data))] = random.randrange(256)
        with naming(bytes(data).hex()), suppress(BadRequest):
            read(bytes(data))
