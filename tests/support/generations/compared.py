"""Helpers for the tests of answers that are compared."""

import json
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from tests.support.generations.masked_requests import store_settings
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.message_versions import JSON

LLAMA = "@cf/meta/llama-3.2-3b-instruct"
MISTRAL = "@cf/mistralai/mistral-small-3.1-24b-instruct"
NAMES = ("llama", "mistral")


@dataclass
class Compared:
    """Both answers to a question: what was sent to the page, and where they are."""

    chat: str
    a: int
    b: int
    streams: list[str]

    @property
    def path(self) -> str:
        return f"/chat/{self.chat}/"


async def compare(client: AsyncClient, conversation: Any = None, **body: Any) -> Compared:
    """Ask two models a question; return when both have answered."""
    body = {"text": "Why do rivers bend?", "model": LLAMA, "compare_with": MISTRAL, **body}
    first = await send(client, conversation, **body)
    streams = [str(await read_stream(first))]
    chat, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
    second = await send(client, chat, beside=answer)
    streams.append(str(await read_stream(second)))
    return Compared(chat, answer, int(second["X-Message-Id"]), streams)


async def decide(client: AsyncClient, pair: Compared, what: str, **body: str) -> Any:
    """Send a vote or choice about the pair of the chat's last answer."""
    number = (await last_turn(client, pair))["pair"]["id"]
    path = f"/chat/{pair.chat}/pairs/{number}/{what}"
    return await client.post(path, data=body, content_type="application/json")


async def last_turn(client: AsyncClient, pair: Compared, query: str = "") -> dict[str, Any]:
    page = await client.get(f"{pair.path}{query}", headers=JSON)
    turn: dict[str, Any] = json.loads(page.content)["turns"][-1]
    return turn


async def allow_blind_comparison() -> None:
    await sync_to_async(store_settings)(BLIND_COMPARISON=True)
