"""Chats that outgrow the window of a model."""

from typing import Any

import pytest
from django.test import AsyncClient

from chat.conversations.models import Conversation, Message
from chat.conversations.prompt import PromptMessage
from chat.conversations.summaries.models import ChatSummary
from chat.generations.summaries import summary_writer
from chat.upstream.client import Upstream
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream

WRITER = "@cf/ibm-granite/granite-4.0-h-micro"
#: Its window has 8,192 tokens.
SMALL = "@cf/meta/llama-3.1-8b-instruct-fast"
FACT = "My dog is called Waldo."
#: A fifth of the window.
LONG = "A river bends where its bank gives way. " * 120


class Asked:
    """The prompts that models got."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: list[list[PromptMessage]] = []
        self.summaries: list[list[PromptMessage]] = []
        ask = Upstream.ask

        def noting(upstream: Upstream, request: Any, *more: Any) -> Any:
            by_site = request.model == WRITER
            (self.summaries if by_site else self.answers).append(request.messages)
            return ask(upstream, request, *more)

        monkeypatch.setattr(Upstream, "ask", noting)

    @property
    def last(self) -> str:
        return "\n".join(each.content for each in self.answers[-1])


async def say(client: AsyncClient, text: str, chat: Conversation | None = None, **more: Any) -> Any:
    """Send, read the answer, and wait for a summary; return the chat."""
    body = {"model": SMALL, "max_tokens": 200, **more}
    body |= {"text": text} if text else {}
    response = await send(client, chat and chat.pk, **body)
    assert (await read_stream(response)).key("state") == "complete"
    await summary_writer.until_written()
    return await Conversation.objects.aget(pk=response["X-Conversation-Id"])


async def outgrow(client: AsyncClient, turns: int = 5) -> Conversation:
    """Start a chat with a fact and go on until it is summarised."""
    chat = await say(client, f"{FACT}\n{LONG}")
    for number in range(1, turns):
        await say(client, f"Part {number}. {LONG}", chat)
    return chat


async def summaries_of(chat: Conversation) -> list[ChatSummary]:
    return [each async for each in ChatSummary.objects.filter(conversation=chat).order_by("pk")]


async def messages_of(chat: Conversation) -> list[Message]:
    return [each async for each in Message.objects.filter(conversation=chat).order_by("pk")]
