"""Ask through Agno's agents, by chat completions and by responses."""

import os
from typing import Any

os.environ["AGNO_TELEMETRY"] = "false"

from agno.agent import Agent
from agno.models.openai import OpenAIResponses
from agno.models.openai.like import OpenAILike
from agno.run.agent import RunEvent
from agno.run.base import RunStatus
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
from pydantic import BaseModel


class City(BaseModel):
    name: str


def agent(
    key: str = KEY, model: str = MODEL, url: str = BASE_URL, kind: Any = OpenAILike, **more: Any
) -> Agent:
    llm = kind(id=model, api_key=key, base_url=url, max_retries=0)
    return Agent(model=llm, telemetry=False, **more)


class RunError(Exception):
    """What a run says whose status is an error."""


def said(run: Any) -> Any:
    if run.status is RunStatus.error:
        raise RunError(run.content)
    return run.content


def stream(prompt: str, key: str) -> str:
    text = ""
    for event in agent(key).run(prompt, stream=True):
        if event.event == RunEvent.run_error:
            raise RunError(event.content)
        text += event.content or ""
    return text


def task(kind: Any) -> str:
    return said(agent(TASK_KEY, TASK_MODEL, TASK_URL, kind, tools=[read_gauge]).run(TASK))


def structured() -> str:
    return type(said(agent(model=GEMMA, output_schema=City).run("Hello"))).__name__


tell(
    lambda prompt, key: said(agent(key).run(prompt)),
    stream,
    task=lambda: task(OpenAILike),
    response=lambda: said(agent(kind=OpenAIResponses).run("Hello")),
    response_task=lambda: task(OpenAIResponses),
    structured=structured,
)
