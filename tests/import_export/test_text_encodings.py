"""Files whose text isn't clean UTF-8 are imported, with as much of the text as can be read."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest

from chat.import_export import import_reader, json_text, prompt_files
from tests.import_export.chatgpt_files import chat, encoded, node
from tests.import_export.own_file import OWN

QUESTION = "Why \U0001f602?"
FOREIGN = [chat(node("q", "root", "user", QUESTION, seconds=1), title=QUESTION)]
LONE, REPLACED = "\ud83d", "\ufffd"


def plain(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def cesu(content: object) -> bytes:
    pair = "\ud83d\ude02".encode("utf-8", "surrogatepass")
    return plain(content).replace("\U0001f602".encode(), pair)


def zipped(data: bytes) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("conversations.json", data)
    return sink.getvalue()


def texts(data: bytes) -> list[str]:
    import_reader.check(io.BytesIO(data))
    (found,) = import_reader.conversations_in(io.BytesIO(data))
    return [found.title, found.messages[0].text]


ENCODINGS: dict[str, Callable[[object], bytes]] = {
    "mark": lambda content: b"\xef\xbb\xbf" + plain(content),
    "utf-16": lambda content: plain(content).decode().encode("utf-16"),
    "utf-16 of the other order": lambda content: ("\ufeff" + plain(content).decode()).encode(
        "utf-16-be"
    ),
    "utf-16 without a mark": lambda content: plain(content).decode().encode("utf-16-le"),
    "cesu-8": cesu,
    "escaped pairs": lambda content: json.dumps(content).encode(),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("pack", [bytes, zipped])
def test_every_encoding_is_read(encoding: str, pack: Callable[[bytes], bytes]) -> None:
    own = OWN | {"title": QUESTION, "messages": [OWN["messages"][0] | {"text": QUESTION}]}
    for content in (FOREIGN, own):
        assert texts(pack(ENCODINGS[encoding](content))) == [QUESTION, QUESTION]


@pytest.mark.parametrize(
    ("spoilt", "shown"),
    [
        (rb"\ud83d", REPLACED),
        (rb"\ude02", REPLACED),
        (rb"\ud83d\ud83d\ude02", REPLACED + "\U0001f602"),
        (rb"\\ud83d", r"\ud83d"),
        (rb"\ud83dn", REPLACED + "n"),
        (LONE.encode("utf-8", "surrogatepass"), REPLACED),
        (b"\xff", REPLACED),
        (rb"\u0000", ""),
    ],
    ids=repr,
)
def test_broken_characters_are_replaced(spoilt: bytes, shown: str) -> None:
    question = chat(node("q", "root", "user", "Why @?", seconds=1), title="@!")
    assert texts(encoded(question).replace(b"@", spoilt)) == [f"{shown}!", f"Why {shown}?"]


def test_prompts_with_a_mark_and_broken_characters_are_read() -> None:
    data = b'\xef\xbb\xbf[{"title":"A","content":"B\\ud83d"}]'
    assert prompt_files._read(data) == [("A", "B\ufffd")]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_a_file_may_be_read_in_pieces_of_any_size(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = encoded(*FOREIGN, *FOREIGN).decode().encode("utf-16")
    monkeypatch.setattr("chat.import_export.foreign.json_elements.CHUNK_BYTES", size)
    monkeypatch.setattr("chat.import_export.json_text.CHUNK_BYTES", size + 8)
    found = list(import_reader.conversations_in(io.BytesIO(whole)))
    assert [each.title for each in found] == [QUESTION, QUESTION]
    assert json_text.Utf8Stream(io.BytesIO(whole)).read_all() == encoded(*FOREIGN, *FOREIGN)


def test_a_long_history_is_never_in_memory_as_a_whole() -> None:
    one = encoded(chat(node("q", "root", "user", "x" * 400_000, seconds=1)))[1:-1]
    data = b"[" + b",".join([one] * 40) + b"]"
    file = io.BytesIO(data)
    tracemalloc.start()
    report = import_reader.check(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert report.total == 40
    assert peak < len(data) / 2
