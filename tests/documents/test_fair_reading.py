"""Files are read one at a time, and nobody waits for more than one file of somebody else."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from chat.documents import reading
from chat.documents.reading import read_document, read_for_message, read_web_page

#: None of them is text that is only decoded.
FILE = b"%PDF-1.7"
Read = Callable[[str], Coroutine[Any, Any, object]]


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the files in the order in which they are read; each takes a while."""
    read: list[bytes] = []

    async def output_of(_arguments: object, content: bytes, *_limits: object) -> bytes:
        read.append(content)
        await asyncio.sleep(0.01)
        return b'{"text": "x", "is_readable": true}'

    monkeypatch.setattr(reading, "_output_of", output_of)
    return read


async def _of_collection(who: str) -> object:
    return await read_document(FILE + who.encode(), "a.pdf", 1000, f"collection:{who}")


async def _of_message(who: str) -> object:
    return await read_for_message(FILE + who.encode(), "a.pdf", who)


async def _of_website(who: str) -> object:
    return await read_web_page(who.encode(), "", 1000, f"website:{who}")


@pytest.mark.parametrize(
    ("many", "one"),
    [
        (_of_collection, _of_collection),
        (_of_collection, _of_message),
        (_of_message, _of_message),
        (_of_website, _of_website),
    ],
)
async def test_others_wait_for_one_file(order: list[bytes], many: Read, one: Read) -> None:
    """Six documents are indexed at once, each of which may take 50 seconds."""
    waiting = [asyncio.create_task(many("mallory")) for _ in range(5)]
    while not order:
        await asyncio.sleep(0)
    await one("bob")
    assert [each.endswith(b"bob") for each in order].index(True) <= 2
    await asyncio.gather(*waiting)
    assert len(order) == 6
