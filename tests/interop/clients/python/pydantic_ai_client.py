"""Ask through agents of Pydantic AI."""

import asyncio
from typing import Any

import behaviours
from behaviours import BASE_URL, GEMMA, KEY, MODEL, TASK, TASK_KEY, TASK_MODEL, TASK_URL, tell
from openai import AsyncOpenAI
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider


class City(BaseModel):
    """A city."""

    model_config = {"extra": "allow"}


def agent(
    key: str,
    model: str = MODEL,
    kind: Any = OpenAIChatModel,
    url: str = BASE_URL,
    retries: int = 0,
    **options: Any,
) -> Any:
    client = AsyncOpenAI(base_url=url, api_key=key, max_retries=0)
    provider = OpenAIProvider(openai_client=client)
    return Agent(kind(model, provider=provider), retries=retries, **options)


def ask(prompt: str, key: str) -> str:
    return agent(key).run_sync(prompt).output


def stream(prompt: str, key: str) -> str:
    async def streaming() -> str:
        async with agent(key).run_stream(prompt) as found:
            return "".join([text async for text in found.stream_text(delta=True)])

    return asyncio.run(streaming())


def tools() -> list[Any]:
    asked = []

    def read_gauge(query: str) -> str:
        """Read a gauge."""
        asked.append(query)
        return "4.2 m"

    found = agent(KEY, GEMMA, tools=[read_gauge]).run_sync("/tool the level")
    return [*asked, found.output]


def task(kind: Any) -> str:
    def read_gauge(query: str) -> str:
        """Read a gauge."""
        try:
            return behaviours.read_gauge(query)
        except ValueError as error:
            raise ModelRetry(str(error)) from error

    worker = agent(TASK_KEY, TASK_MODEL, kind, TASK_URL, retries=1, tools=[read_gauge])
    return worker.run_sync(TASK).output


def structured() -> str:
    found = agent(KEY, GEMMA, output_type=NativeOutput(City)).run_sync("Hello")
    return type(found.output).__name__


def response() -> str:
    return agent(KEY, kind=OpenAIResponsesModel).run_sync("Hello").output


tell(
    ask,
    stream,
    tools=tools,
    task=lambda: task(OpenAIChatModel),
    response_task=lambda: task(OpenAIResponsesModel),
    structured=structured,
    response=response,
)
