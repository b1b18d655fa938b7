"""Ask questions whose answers get suggestions, and read these."""

import json
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.emulator.scripts.follow_ups import QUESTIONS
from chat.generations.follow_ups import follow_up_writer
from chat.generations.titles import title_writer
from tests.support.generations.masked_requests import store_settings
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.message_versions import JSON

SUGGESTED = list(QUESTIONS)


async def suggest_questions(*, are_on: bool = True) -> None:
    await sync_to_async(store_settings)(SUGGESTED_QUESTIONS=are_on)


async def ask(client: AsyncClient, text: str = "Why do rivers bend?", **more: Any) -> Any:
    """Send, read the answer, wait for suggestions and a title, and return the response."""
    response = await send(client, text=text, **more)
    await read_stream(response)
    await follow_up_writer.until_written()
    await title_writer.until_written()
    return response


async def suggestions(client: AsyncClient, response: Any) -> list[list[str]]:
    """Return those of each turn of the chat as the page gets them."""
    page = await client.get(f"/chat/{response['X-Conversation-Id']}/", headers=JSON)
    return [turn.get("follow_ups", []) for turn in json.loads(page.content)["turns"]]
