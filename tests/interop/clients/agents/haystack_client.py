"""Ask through Haystack's generators for OpenAI, and its agent."""

import os
from typing import Any

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from behaviours import (
    BASE_URL,
    GEMMA,
    KEY,
    MODEL,
    TASK,
    TASK_KEY,
    TASK_MODEL,
    TASK_URL,
    read_gauge,
    tell,
)
from haystack.components.agents import Agent
from haystack.components.embedders import OpenAITextEmbedder
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from haystack.utils import Secret


def chat(
    key: str = KEY,
    model: str = MODEL,
    url: str = BASE_URL,
    kind: Any = OpenAIChatGenerator,
    **more: Any,
) -> Any:
    token = Secret.from_token(key)
    return kind(api_key=token, model=model, api_base_url=url, max_retries=0, **more)


def said(generator: Any, prompt: str) -> str:
    return generator.run([ChatMessage.from_user(prompt)])["replies"][0].text


def stream(prompt: str, key: str) -> str:
    pieces: list[str] = []
    said(chat(key, streaming_callback=lambda chunk: pieces.append(chunk.content)), prompt)
    return "".join(pieces)


def task(kind: Any) -> str:
    llm = chat(TASK_KEY, TASK_MODEL, TASK_URL, kind)
    agent = Agent(chat_generator=llm, tools=[create_tool_from_function(read_gauge)])
    return agent.run([ChatMessage.from_user(TASK)])["last_message"].text


def embedding() -> int:
    embedder = OpenAITextEmbedder(
        api_key=Secret.from_token(KEY), model="@cf/baai/bge-m3", api_base_url=BASE_URL
    )
    return len(embedder.run("Hello")["embedding"])


tell(
    lambda prompt, key: said(chat(key), prompt),
    stream,
    task=lambda: task(OpenAIChatGenerator),
    response=lambda: said(chat(kind=OpenAIResponsesChatGenerator, model=GEMMA), "Hello"),
    response_task=lambda: task(OpenAIResponsesChatGenerator),
    embedding=embedding,
)
