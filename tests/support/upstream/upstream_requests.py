"""Ask an upstream in tests, and collect the answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from chat.conversations.prompt import PromptMessage
from chat.lib.catalogue import Model
from chat.upstream.client import Timeouts, Upstream
from chat.upstream.events import AnswerOpened, Event, Finished, Reasoning, Text
from chat.upstream.factory import network_transport
from chat.upstream.failover import ask_with_failover
from chat.upstream.request import CompletionRequest, ProviderEndpoint

MODEL = Model(id="@cf/test/model", context_window=8000)
#: Only a hang takes that long.
TIMEOUTS = Timeouts(connect=60, first_byte=60, idle=60, content=60, answer=120)


def question(text: str = "Hello", model: Model = MODEL, **changes: object) -> CompletionRequest:
    return replace(
        CompletionRequest([PromptMessage("user", text)], model.id, max_tokens=256), **changes
    )  # type: ignore[arg-type]


@asynccontextmanager
async def upstream_at(
    url: str, timeouts: Timeouts = TIMEOUTS, connections: int = 0, **address: object
) -> AsyncIterator[Upstream]:
    made = ProviderEndpoint(**{"base_url": url, "account_id": "a", "token": "secret", **address})  # type: ignore[arg-type]
    client = Upstream(made, network_transport(connections), timeouts)
    try:
        yield client
    finally:
        await client.aclose()


@dataclass
class Heard:
    """A collected answer."""

    events: list[Event] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Text))

    @property
    def reasoning(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Reasoning))

    @property
    def opened(self) -> list[AnswerOpened]:
        return [event for event in self.events if isinstance(event, AnswerOpened)]

    @property
    def finished(self) -> Finished | None:
        return next((event for event in self.events if isinstance(event, Finished)), None)


async def hear(
    upstream: Upstream, asked: CompletionRequest | None = None, **options: object
) -> Heard:
    """Return the whole answer, with the site's retries and failover."""
    heard = Heard()
    model = options.pop("model", MODEL)
    async for event in ask_with_failover(asked or question(), lambda _: upstream, model, **options):  # type: ignore[arg-type]
        heard.events.append(event)
    return heard
