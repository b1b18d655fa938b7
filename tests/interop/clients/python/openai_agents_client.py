"""Ask through agents of OpenAI's SDK for agents."""

import asyncio
from typing import Any

import behaviours
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from behaviours import BASE_URL, GEMMA, KEY, MODEL, TASK, TASK_KEY, TASK_MODEL, TASK_URL, tell
from openai import AsyncOpenAI
from pydantic import BaseModel

set_tracing_disabled(True)
asked: list[str] = []


class City(BaseModel):
    name: str


@function_tool
def read_gauge(query: str) -> str:
    """Read a gauge."""
    asked.append(query)
    return behaviours.read_gauge(query)


def agent(
    key: str,
    model: str = MODEL,
    kind: Any = OpenAIChatCompletionsModel,
    url: str = BASE_URL,
    **more: Any,
) -> Any:
    client = AsyncOpenAI(base_url=url, api_key=key, max_retries=0)
    return Agent(name="Helper", instructions="Help.", model=kind(model, client), **more)


def ask(prompt: str, key: str) -> str:
    return Runner.run_sync(agent(key), prompt).final_output


def stream(prompt: str, key: str) -> str:
    async def streaming() -> str:
        said = []
        async for event in Runner.run_streamed(agent(key), prompt).stream_events():
            data = getattr(event, "data", None)
            if getattr(data, "type", "") == "response.output_text.delta":
                said.append(data.delta)
        return "".join(said)

    return asyncio.run(streaming())


def tools(kind: Any) -> list[Any]:
    asked.clear()
    found = Runner.run_sync(agent(KEY, GEMMA, kind, tools=[read_gauge]), "/tool the level")
    return [*asked, found.final_output]


def task(kind: Any) -> str:
    worker = agent(TASK_KEY, TASK_MODEL, kind, TASK_URL, tools=[read_gauge])
    return Runner.run_sync(worker, TASK).final_output


def structured() -> str:
    found = Runner.run_sync(agent(KEY, GEMMA, output_type=City), "Hello")
    return type(found.final_output).__name__


def response() -> str:
    return Runner.run_sync(agent(KEY, kind=OpenAIResponsesModel), "Hello").final_output


tell(
    ask,
    stream,
    tools=lambda: tools(OpenAIChatCompletionsModel),
    response_tools=lambda: tools(OpenAIResponsesModel),
    task=lambda: task(OpenAIChatCompletionsModel),
    response_task=lambda: task(OpenAIResponsesModel),
    structured=structured,
    response=response,
)
