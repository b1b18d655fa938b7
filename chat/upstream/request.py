"""What is asked of the model's side, and its translation into an HTTP request: pure.

Two dialects. Workers AI: `POST …/accounts/{A}/ai/run/{model}` with the parameters as they are.
OpenAI (any compatible server): `POST …/chat/completions`, without the parameters it does not know.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chat.conversations.prompt import PromptMessage

ONLY_WORKERS_AI = frozenset({"top_k", "repetition_penalty"})


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One send: the conversation so far, the model and how it should answer.

    `affinity` is an opaque key of the conversation (same key, same replica: cheaper prompts);
    `metadata` is stored with AI Gateway's log, so it holds ids only.
    """

    messages: list[PromptMessage]
    model: str
    max_tokens: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    stop: tuple[str, ...] = ()  # texts at which the answer ends, without them
    response_format: Mapping[str, Any] | None = None  # in OpenAI's form
    reasoning_effort: str = ""  # one of REASONING_EFFORTS; empty as the model does by itself
    affinity: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    omitted_messages: int = 0  # of the conversation, before `messages`
    cache_seconds: int | None = None  # of AI Gateway: None as it is set, 0 never

    def without_image_literals(self) -> "CompletionRequest":
        """The same, with `data:image/…` broken up: such text is taken for an image."""
        broken = [
            replace(m, content=m.content.replace("data:", "data:\u200b")) for m in self.messages
        ]
        return replace(self, messages=broken)

    @property
    def mentions_images(self) -> bool:
        return any("data:image" in message.content for message in self.messages)


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """How AI Gateway is used; an empty `id` means not at all."""

    id: str = ""
    token: str = ""
    cache_seconds: int = 0
    skip_cache: bool = False
    metadata: bool = True
    attempts: int = 0
    retry_milliseconds: int = 500
    timeout_milliseconds: int = 0

    def headers(self, question: CompletionRequest) -> dict[str, str]:
        if not self.id:
            return {}
        headers = {"cf-aig-gateway-id": self.id}
        if self.token:
            headers["cf-aig-authorization"] = f"Bearer {self.token}"
        headers |= self._caching(question)
        if self.metadata and question.metadata:
            headers["cf-aig-metadata"] = json.dumps(dict(question.metadata))
        if self.attempts:
            headers["cf-aig-max-attempts"] = str(self.attempts)
            headers["cf-aig-retry-delay"] = str(self.retry_milliseconds)
            headers["cf-aig-backoff"] = "exponential"
        if self.timeout_milliseconds:
            headers["cf-aig-request-timeout"] = str(self.timeout_milliseconds)
        return headers

    def _caching(self, question: CompletionRequest) -> dict[str, str]:
        """As the question wants it, else as it is set."""
        seconds, skip = self.cache_seconds, self.skip_cache
        if question.cache_seconds is not None:
            seconds, skip = question.cache_seconds, not question.cache_seconds
        if skip:
            return {"cf-aig-skip-cache": "true"}
        return {"cf-aig-cache-ttl": str(seconds)} if seconds else {}


@dataclass(frozen=True, slots=True)
class Address:
    """Where the model's side is and which dialect it speaks; `repr` never shows the token."""

    base_url: str
    account_id: str = ""
    token: str = field(default="", repr=False)
    is_workers_ai: bool = True
    gateway: GatewayOptions = field(default=GatewayOptions(), repr=False)

    def url(self, model: str) -> str:
        if self.is_workers_ai:
            return f"{self.base_url}/accounts/{self.account_id}/ai/run/{model}"
        return f"{self.base_url}/chat/completions"

    def headers(self, question: CompletionRequest) -> dict[str, str]:
        """Everything that is sent along: an allow-list, nothing of the browser's request."""
        headers = {
            "Accept": "text/event-stream, application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": "runnel",
        }
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.is_workers_ai and question.affinity:
            headers["x-session-affinity"] = question.affinity
        return headers | self.gateway.headers(question)

    def body(self, question: CompletionRequest, stream: bool) -> bytes:
        """The JSON to send. `max_tokens` always: the default of native models is 256."""
        value: dict[str, Any] = {
            "messages": [{"role": m.role, "content": m.content} for m in question.messages],
            "stream": stream,
            "max_tokens": question.max_tokens,
        }
        for name, given in question.parameters.items():
            if self.is_workers_ai or name not in ONLY_WORKERS_AI:
                value[name] = given
        if not self.is_workers_ai:
            value["model"] = question.model
            if stream:
                value["stream_options"] = {"include_usage": True}
        return json.dumps(value, ensure_ascii=False).encode()
