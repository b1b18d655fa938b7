"""Ask through smolagents' model for servers with OpenAI's API, and its agent for tools."""

from typing import Any

from behaviours import (
    BASE_URL,
    KEY,
    MODEL,
    TASK,
    TASK_KEY,
    TASK_MODEL,
    TASK_URL,
    read_gauge,
    tell,
)
from smolagents import ChatMessage, LogLevel, OpenAIModel, ToolCallingAgent, tool


def chat(key: str = KEY, model: str = MODEL, url: str = BASE_URL) -> OpenAIModel:
    client = {"max_retries": 0}
    return OpenAIModel(model, api_base=url, api_key=key, client_kwargs=client, retry=False)


def asked(prompt: str) -> list[Any]:
    return [ChatMessage(role="user", content=prompt)]


def ask(prompt: str, key: str) -> Any:
    return chat(key).generate(asked(prompt)).content


def stream(prompt: str, key: str) -> str:
    return "".join(each.content or "" for each in chat(key).generate_stream(asked(prompt)))


def task() -> Any:
    llm = chat(TASK_KEY, TASK_MODEL, TASK_URL)
    agent = ToolCallingAgent(tools=[tool(read_gauge)], model=llm, verbosity_level=LogLevel.OFF)
    return agent.run(TASK)


tell(ask, stream, task=task)
