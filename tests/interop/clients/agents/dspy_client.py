"""Ask through DSPy's `LM`, and its agent."""

from typing import Any

import dspy
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


class LM(dspy.LM):
    """DSPy declares tools only to models that are in its list, or say so."""

    supports_function_calling = True


def chat(key: str = KEY, model: str = MODEL, url: str = BASE_URL, **more: Any) -> LM:
    return LM(f"openai/{model}", api_base=url, api_key=key, num_retries=0, cache=False, **more)


def ask(prompt: str, key: str) -> str:
    return chat(key)(prompt)[0]


def task() -> str:
    agent = dspy.ReActV2("question -> answer", tools=[read_gauge])
    adapter = dspy.ChatAdapter(use_native_function_calling=True)
    with dspy.context(lm=chat(TASK_KEY, TASK_MODEL, TASK_URL), adapter=adapter):
        return agent(question=TASK).answer


def response() -> str:
    return chat(model_type="responses")("Hello")[0]["text"]


def embedding() -> int:
    embedder = dspy.Embedder(
        "openai/@cf/baai/bge-m3", api_base=BASE_URL, api_key=KEY, caching=False
    )
    return len(embedder("Hello"))


# It streams only the fields of its own format, which the emulator doesn't write.
tell(ask, None, task=task, response=response, embedding=embedding)
