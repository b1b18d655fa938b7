"""One member's exports do not delay others or other work."""

import asyncio
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.models import Conversation
from chat.database import threads
from chat.import_export import export_writer, exported_turns, markdown
from chat.web.http.files import downloads
from chat.web.import_export import views
from tests.support.web.exports import body

ALICE, BOB = (Principal(key=f"user:{n}", user_id=n) for n in (1, 2))
Write = Callable[[Conversation], Iterator[bytes]]


@pytest.fixture
def chat(alice: User) -> Conversation:
    """Create a chat of ten messages, the first ones long."""
    made, parent = Conversation.objects.create(owner=alice, title="Long"), None
    for number in range(10):
        role = "assistant" if number % 2 else "user"
        text = ("zq\n" * 20_000 if number < 5 else "short") + str(number)
        parent = made.messages.create(parent=parent, role=role, text=text)
    return made


@pytest.mark.parametrize("write", [markdown.conversation_markdown, export_writer.conversation_json])
def test_a_step_writes_a_limited_amount_or_one_message(chat: Conversation, write: Write) -> None:
    pieces = list(write(chat))
    assert max(map(len, pieces)) < 2.5 * exported_turns.CHARACTERS_AT_ONCE
    long, short = b"".join(pieces).count(b"zq"), b"".join(pieces).count(b"short")
    assert (long, short) == (5 * 20_000, 5)
    assert len(pieces) < 10  # what is short goes together


@pytest.mark.parametrize("write", [markdown.quoted, markdown.closed])
def test_many_lines_take_little_memory(write: Callable[[str], str]) -> None:
    text = "ab\n" * 70_000
    tracemalloc.start()
    write(text)
    _now, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most_bytes < 10 * len(text)


def test_deleted_messages_are_not_exported(chat: Conversation) -> None:
    last = chat.messages.order_by("-id")[:2]
    chat.messages.filter(pk__in=[each.pk for each in last]).update(deleted_at=timezone.now())
    read = b"".join(markdown.conversation_markdown(chat))
    assert b"short7" in read
    assert b"short8" not in read
    assert b"short9" not in read


@pytest.mark.parametrize("path", ["/chat/{}/export.md", "/settings/export.zip"])
async def test_exports_are_rate_limited(
    chat: Conversation, alice_client: AsyncClient, bob_client: AsyncClient, path: str
) -> None:
    for _ in range(views.EXPORTS_PER_MINUTE):
        await body(await alice_client.get(f"/chat/{chat.pk}/export.json"))
    refused = await alice_client.get(path.format(chat.pk), headers={"Accept": "text/html"})
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert "Too many attempts. Wait a moment." in refused.content.decode()
    assert (await bob_client.get("/settings/export.zip")).status_code == 200


async def read(response: Any) -> bytes:
    return b"".join([part async for part in response.streaming_content])


async def test_other_requests_are_served_during_exports(stop_server_process: None) -> None:
    begun, goes_on, names = threading.Event(), threading.Event(), set()

    def pieces() -> Iterator[bytes]:
        names.add(threading.current_thread().name)
        begun.set()
        goes_on.wait(60)
        yield b"made"

    made = [downloads.download(pieces(), "a", who) for who in (ALICE, BOB, ALICE)]
    reading = [asyncio.create_task(read(each)) for each in made]
    await asyncio.to_thread(begun.wait, 60)
    others = {await threads.readers.run(lambda: threading.current_thread().name) for _ in "abc"}
    assert not any(each.done() for each in reading)
    goes_on.set()
    assert await asyncio.gather(*reading) == [b"made"] * 3
    assert {name.startswith("runnel-download") for name in names} == {True}
    assert names.isdisjoint(others)


async def test_each_member_has_one_export_step_at_a_time(stop_server_process: None) -> None:
    goes_on, order = threading.Event(), []

    def pieces(name: str) -> Iterator[bytes]:
        goes_on.wait(60)
        order.append(name)
        yield b""

    asked = {"a1": ALICE, "a2": ALICE, "a3": ALICE, "b1": BOB}
    made = [downloads.download(pieces(name), name, who) for name, who in asked.items()]
    reading = [asyncio.create_task(read(each)) for each in made]
    await asyncio.sleep(0)  # now they stand in their queues
    goes_on.set()
    await asyncio.gather(*reading)
    assert order.index("b1") < order.index("a2")


async def test_a_download_that_is_not_read_does_not_block_others(stop_server_process: None) -> None:
    first = downloads.download(iter([b"1", b"2"]), "a", ALICE)
    reading = aiter(first.streaming_content)  # type: ignore[arg-type]
    assert await anext(reading) == b"1"
    assert await read(downloads.download(iter([b"other"]), "b", ALICE)) == b"other"
    await reading.aclose()  # type: ignore[attr-defined]
