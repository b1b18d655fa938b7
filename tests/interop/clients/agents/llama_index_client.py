"""Ask through LlamaIndex's `OpenAILike`, and its agent for tools."""

import asyncio
from typing import Any

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
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel


class City(BaseModel):
    name: str


def chat(key: str = KEY, model: str = MODEL, url: str = BASE_URL, **more: Any) -> OpenAILike:
    return OpenAILike(
        model=model,
        api_base=url,
        api_key=key,
        is_chat_model=True,
        is_function_calling_model=True,
        max_retries=0,
        **more,
    )


def ask(prompt: str, key: str) -> str:
    return str(chat(key).complete(prompt))


def stream(prompt: str, key: str) -> str:
    said = chat(key).stream_chat([ChatMessage(prompt)])
    return "".join(each.delta or "" for each in said)


def task() -> str:
    async def answer() -> str:
        llm = chat(TASK_KEY, TASK_MODEL, TASK_URL)
        agent = FunctionAgent(tools=[FunctionTool.from_defaults(read_gauge)], llm=llm)
        return str(await agent.run(TASK))

    return asyncio.run(answer())


def structured() -> str:
    llm = chat(model=GEMMA, should_use_structured_outputs=True)
    return type(llm.as_structured_llm(City).complete("Hello").raw).__name__


tell(ask, stream, task=task, structured=structured)
