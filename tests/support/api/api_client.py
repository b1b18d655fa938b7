"""Call the API with a key, as programs do."""

import json
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
from chat.api_keys.models import ApiKey

MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
GEMMA = "@cf/google/gemma-4-26b-a4b-it"
GPT_OSS = "@cf/openai/gpt-oss-20b"
#: One model of each of Workers AI's formats.
MODELS = [MODEL, GEMMA, GPT_OSS]
HELLO: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "Hello"}]}
#: A tool as the `llm` command describes it.
LOOK_UP: dict[str, Any] = {
    "type": "function",
    "function": {"name": "look_up", "description": None, "strict": True},
}


class ApiClient:
    """A program with a key; empty for none."""

    def __init__(self, text: str = "", key: ApiKey | None = None) -> None:
        self.text, self._key = text, key

    @property
    def key(self) -> ApiKey:
        assert self._key
        return self._key

    async def get(self, path: str, **headers: str) -> Any:
        return await AsyncClient().get(path, headers=self._headers(headers))

    async def post(self, path: str, body: Any, **headers: str) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body)
        return await AsyncClient().generic(
            "POST", path, content, "application/json", headers=self._headers(headers)
        )

    async def complete(self, content: Any = "Hello", **options: Any) -> Any:
        """Send a chat completion with one message."""
        body = {**HELLO, "messages": [{"role": "user", "content": content}], **options}
        return await self.post("/v1/chat/completions", body)

    def _headers(self, given: dict[str, str]) -> dict[str, str]:
        named = {name.replace("_", "-"): value for name, value in given.items()}
        return ({"Authorization": f"Bearer {self.text}"} if self.text else {}) | named


class BrowserWithKey(AsyncClient):
    """Sends a key with every request to any address, as somebody who found it might."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def generic(self, *given: Any, **options: Any) -> Any:
        own = {"Authorization": f"Bearer {self._text}", "X-Api-Key": self._text}
        options["headers"] = own | (options.get("headers") or {})
        return super().generic(*given, **options)


def api_client_of(user: User, **options: Any) -> ApiClient:
    """Return a program of this member, with a new key."""
    key, text = keys.create(user, KeyOptions(**{"name": "Editor", **options}))
    return ApiClient(text, key)


async def new_api_client(user: User, **options: Any) -> ApiClient:
    return await sync_to_async(api_client_of)(user, **options)


async def events_of(response: Any) -> list[Any]:
    """Return the payloads of a stream, as strict clients read it: `data:` lines only."""
    assert response.status_code == 200, response.content
    sent = b"".join([chunk async for chunk in response.streaming_content]).decode()
    blocks = [block for block in sent.split("\n\n") if block and not block.startswith(":")]
    assert all(block.startswith("data: ") and "\n" not in block for block in blocks), sent
    data = [block.removeprefix("data: ") for block in blocks]
    return [each if each == "[DONE]" else json.loads(each) for each in data]


def text_of(events: list[Any]) -> str:
    """Return the text of a stream of chat completion chunks."""
    choices = [each["choices"][0] for each in events if each != "[DONE]" and each.get("choices")]
    return "".join(choice["delta"].get("content") or "" for choice in choices)
