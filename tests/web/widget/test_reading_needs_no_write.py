"""A visitor's chats can be read while the database takes no writes."""

from typing import Any

import pytest
from pytest_django import Settings

from chat.widget_sites.models import WidgetSite
from tests.support.database.database_faults import HOW, NO_WRITES, during
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import Visiting

TABLE = {"default": {"BACKEND": "chat.database.table_cache.TableCache", "LOCATION": "chat_cache"}}


async def status_of(response: Any) -> int:
    if response.streaming:
        await read_stream(response)
    return int(response.status_code)


@pytest.mark.parametrize("how", HOW)
async def test_everything_that_a_visitor_can_read(
    how: str, shop: WidgetSite, vera: Visiting, settings: Settings
) -> None:
    settings.CACHES = TABLE
    sent = await vera.send(key="one-of-veras")
    await read_stream(sent)
    chat, message = sent["X-Conversation-Id"], sent["X-Message-Id"]
    paths = [
        "", "challenge", "conversations", f"conversations/{chat}", f"conversations/{chat}/person",
        "sends/one-of-veras", f"{chat}/messages/{message}",
        f"generations/{sent['X-Generation-Id']}/stream",
    ]  # fmt: skip
    before = [await status_of(await vera.get(path)) for path in paths]
    async with during(NO_WRITES[how]()):
        assert [await status_of(await vera.get(path)) for path in paths] == before
        assert (await vera.client.get("/w.js")).status_code == 200
    assert before.count(200) >= 6
