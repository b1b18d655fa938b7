"""Ask through LangChain's `ChatCloudflareWorkersAI`, which uses Workers AI's own format."""

import os

from behaviours import GEMMA, KEY, MODEL, tell
from langchain_cloudflare import ChatCloudflareWorkersAI

BASE_URL = f"{os.environ['RUNNEL_URL']}/client/v4"


def read_gauge(query: str) -> str:
    """Read a gauge."""
    return "4.2 m"


def chat(key: str = KEY, model: str = MODEL) -> ChatCloudflareWorkersAI:
    return ChatCloudflareWorkersAI(model=model, account_id="any", api_token=key, base_url=BASE_URL)


def ask(prompt: str, key: str) -> str:
    return chat(key).invoke(prompt).text


def stream(prompt: str, key: str) -> str:
    return "".join(chunk.text for chunk in chat(key).stream(prompt))


def tool() -> list[object]:
    model = chat(model=GEMMA).bind_tools([read_gauge])
    (call,) = model.invoke("/tool the level").tool_calls
    return [call["name"], call["args"]]


tell(ask, stream, tool=tool)
