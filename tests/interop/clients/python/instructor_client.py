"""Ask for objects through instructor."""

from typing import Any

import instructor
from behaviours import BASE_URL, GEMMA, KEY, tell
from openai import OpenAI
from pydantic import BaseModel


class City(BaseModel):
    """A city."""

    model_config = {"extra": "allow"}


def client(key: str, mode: instructor.Mode = instructor.Mode.JSON_SCHEMA) -> Any:
    return instructor.from_openai(OpenAI(base_url=BASE_URL, api_key=key, max_retries=0), mode=mode)


def create(prompt: str, key: str, mode: instructor.Mode = instructor.Mode.JSON_SCHEMA) -> str:
    """Return the name of the class that the answer was read into."""
    found = client(key, mode).chat.completions.create(
        model=GEMMA,
        response_model=City,
        messages=[{"role": "user", "content": prompt}],
        max_retries=0,
    )
    return type(found).__name__


def stream(prompt: str, key: str) -> str:
    """Read an answer that is no object, whose errors instructor passes on."""
    chunks = client(key).chat.completions.create(
        model=GEMMA,
        response_model=None,
        messages=[{"role": "user", "content": prompt}],
        stream=True,
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def partial() -> list[str]:
    """Read an object while it arrives."""
    found = client(KEY).chat.completions.create_partial(
        model=GEMMA, response_model=City, messages=[{"role": "user", "content": "Hello"}]
    )
    return sorted({type(each).__name__ for each in found})


tell(
    create,
    stream,
    partial=partial,
    tool_mode=lambda: create("/tool Hello", KEY, instructor.Mode.TOOLS),
    json_mode=lambda: create("Hello", KEY, instructor.Mode.JSON),
)
