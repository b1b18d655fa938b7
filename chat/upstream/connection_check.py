"""Try a connection to a provider: list its models, and ask one of them a short question."""

import asyncio
import time
from collections.abc import Collection
from contextlib import aclosing
from dataclasses import dataclass

from chat.conversations.prompt import PromptMessage
from chat.errors import UpstreamError, UpstreamTimeout
from chat.site_settings.provider_connection import ProviderConnection
from chat.upstream import available_models, factory
from chat.upstream.answer_deadline import Timeouts
from chat.upstream.catalogue.service_models import list_models
from chat.upstream.client import Upstream
from chat.upstream.events import Reasoning, Text
from chat.upstream.request import CompletionRequest
from chat.upstream.sockets.connection_pool import AddressRefused

QUESTION = "Say hello in one short sentence."
MAX_TOKENS = 200  # enough for models that reason first
MAX_SHOWN = 300
TIMEOUTS = Timeouts(connect=5, first_byte=20, idle=10, content=20, answer=30)
#: For both requests together.
TOTAL_SECONDS = 40
#: Parts of the names of models that do not chat.
OTHER_KINDS = ("embed", "whisper", "tts", "rerank", "moderation", "dall-e", "image", "guard")


@dataclass(frozen=True, slots=True)
class Trial:
    """What came back. `error` is why it failed; `answer` may be empty."""

    model: str = ""
    answer: str = ""
    seconds: float = 0
    listed: int = 0  # models in the provider's list; 0 if it was not asked
    has_other_models: bool = False  # none of those that the site offers
    error: UpstreamError | None = None

    @property
    def is_address_refused(self) -> bool:
        """Whether the server's name leads to addresses that must not be connected to."""
        failure = self.error and self.error.__cause__
        return isinstance(failure and failure.__cause__, AddressRefused)


async def try_connection(connection: ProviderConnection | None) -> Trial:
    """Ask the site's default model, or another one if the provider doesn't have it.

    None is the connection in use.
    """
    client = (
        factory.open_trial_client(connection, TIMEOUTS)
        if connection
        else factory.open_client("", TIMEOUTS)
    )
    try:
        async with asyncio.timeout(TOTAL_SECONDS):
            return await _try(client)
    except TimeoutError:
        return Trial(error=UpstreamTimeout(detail="no answer in time"))
    except UpstreamError as error:
        return Trial(error=error)
    finally:
        await client.aclose()


async def _try(client: Upstream) -> Trial:
    default = available_models.find(None).provider_id
    if client.endpoint.is_workers_ai:
        return await _ask(client, default, [])
    listed = [each.id for each in await list_models(client)]
    return await _ask(client, _chosen(default, listed), listed)


def _chosen(default: str, listed: Collection[str]) -> str:
    if default in listed:
        return default
    return next(iter(chat_models(listed) or listed))


def chat_models(names: Collection[str]) -> list[str]:
    """Return those that chat, as far as their names tell."""
    return [name for name in names if not any(kind in name.lower() for kind in OTHER_KINDS)]


async def _ask(client: Upstream, model: str, listed: Collection[str]) -> Trial:
    request = CompletionRequest([PromptMessage("user", QUESTION)], model, MAX_TOKENS)
    began, text, reasoning = time.monotonic(), "", ""
    async with aclosing(client.ask(request)) as events:
        async for event in events:
            if isinstance(event, Text):
                text += event.text
            elif isinstance(event, Reasoning):
                reasoning += event.text
            if len(text) > MAX_SHOWN:
                break
    offered = {each.provider_id for each in available_models.offered_models().values()}
    return Trial(
        model=model,
        answer=_shortened(text.strip() or reasoning.strip()),
        seconds=time.monotonic() - began,
        listed=len(listed),
        has_other_models=bool(listed) and not offered & set(listed),
    )


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
