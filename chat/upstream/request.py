"""Describe a request to the model provider, and translate it to HTTP. Pure functions.

There are two dialects. Workers AI: `POST …/accounts/{A}/ai/run/{model}` with all parameters. OpenAI
(any compatible server): `POST …/chat/completions` without the parameters it does not know.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from chat.conversations.prompt import PromptMessage

ONLY_WORKERS_AI = frozenset({"top_k", "repetition_penalty"})
#: Ids of routes of AI Gateway, which choose the model.
ROUTE_PREFIX = "dynamic/"
OPENAI = "https://api.openai.com/"


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A completion request: the conversation, the model and the options of its answer.

    `affinity` is an opaque key of the conversation: the same key reaches the same replica, which
    makes prompts cheaper. `metadata` is stored in AI Gateway's log, so it contains ids only.
    """

    messages: list[PromptMessage]
    model: str
    max_tokens: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    forwarded: Mapping[str, Any] = field(default_factory=dict)  # as a program sent it
    stop: tuple[str, ...] = ()  # texts that end the answer and are not part of it
    response_format: Mapping[str, Any] | None = None  # in OpenAI's form
    starts_in_reasoning: bool = False  # the prompt template opens the reasoning
    reasoning_effort: str = ""  # one of REASONING_EFFORTS; empty: the model's default
    affinity: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    omitted_messages: int = 0  # of the conversation, before `messages`
    cache_seconds: int | None = None  # in AI Gateway; None: as configured, 0: never
    is_exact: bool = False  # leave nothing out, and use no other model
    id_there: str = ""  # the model's id at its provider, if that differs
    reject_if_busy: bool = False  # instead of waiting in a queue of Workers AI
    limit_name: str | None = None  # of `max_tokens`, and that of reasoning in a history;
    reasoning_name: str | None = None  # None: the endpoint's usual one

    @property
    def provider_id(self) -> str:
        """Return the id that the provider knows the model by."""
        return self.id_there or self.model

    @property
    def read_messages(self) -> list[PromptMessage]:
        """Return all that the model reads, for estimates: the descriptions of tools, too."""
        tools = self.parameters.get("tools")
        described = [PromptMessage("system", json.dumps(tools))] if tools else []
        return [*described, *self.messages]

    @property
    def tool_names(self) -> list[str]:
        """Return the names of the functions that the model may call now."""
        if self.parameters.get("tool_choice") == "none":
            return []
        tools = self.parameters.get("tools") or ()
        return [str(each.get("function", {}).get("name", "")) for each in tools]

    @property
    def wants_log_probs(self) -> bool:
        return bool(self.forwarded.get("logprobs"))

    def without_image_literals(self) -> "CompletionRequest":
        """Return a copy with `data:image/…` broken up, which models would take for an image."""
        broken = [
            replace(m, content=m.content.replace("data:", "data:\u200b")) for m in self.messages
        ]
        return replace(self, messages=broken)

    @property
    def has_images(self) -> bool:
        return any(message.images for message in self.messages)

    @property
    def mentions_images(self) -> bool:
        return any("data:image" in message.content for message in self.messages)


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """How to use AI Gateway. An empty `id` means not at all."""

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
        """Return the cache headers: the request's own wish, else as configured."""
        seconds, skip = self.cache_seconds, self.skip_cache
        if question.cache_seconds is not None:
            seconds, skip = question.cache_seconds, not question.cache_seconds
        if skip:
            return {"cf-aig-skip-cache": "true"}
        return {"cf-aig-cache-ttl": str(seconds)} if seconds else {}


@dataclass(frozen=True, slots=True)
class ProviderEndpoint:
    """Where and in which dialect a provider is asked. `repr` never shows the token."""

    base_url: str
    account_id: str = ""
    token: str = field(default="", repr=False)
    is_workers_ai: bool = True
    gateway: GatewayOptions = field(default=GatewayOptions(), repr=False)

    def url(self, model: str) -> str:
        if self.speaks_openai(model):
            return self.openai_url("chat/completions")
        return f"{self.account_url}/run/{model}"

    @property
    def account_url(self) -> str:
        """Return the address of Workers AI of the account."""
        return f"{self.base_url}/accounts/{self.account_id}/ai"

    @property
    def rendering_url(self) -> str:
        """Return the address of Cloudflare's browser of the account."""
        return f"{self.base_url}/accounts/{self.account_id}/browser-rendering/content"

    def speaks_openai(self, model: str) -> bool:
        """Return whether this model is asked in OpenAI's format.

        Workers AI refuses a route of AI Gateway in any other.
        """
        return not self.is_workers_ai or model.startswith(ROUTE_PREFIX)

    @property
    def models_url(self) -> str:
        """Return the address of the provider's list of models."""
        if self.is_workers_ai:
            return f"{self.account_url}/models/search"
        return f"{self.base_url}/models"

    def openai_url(self, path: str) -> str:
        """Return the address of an endpoint that both kinds of provider have, as OpenAI's."""
        if self.is_workers_ai:
            return f"{self.account_url}/v1/{path}"
        return f"{self.base_url}/{path}"

    @property
    def limit_name(self) -> str:
        """Return the usual parameter for the longest answer: OpenAI's newer models need their own.

        For others, failover.py learns it from a refusal.
        """
        is_openai = self.base_url.startswith(OPENAI)
        return "max_completion_tokens" if is_openai else "max_tokens"

    def _reasoning_name(self, question: CompletionRequest) -> str:
        """Return the field for the reasoning of earlier answers; Workers AI's is documented."""
        if self.is_workers_ai:
            return "reasoning"
        name = question.reasoning_name
        return "reasoning_content" if name is None else name

    def headers(self, question: CompletionRequest) -> dict[str, str]:
        """Return all headers to send: an allow-list, with nothing from the browser's request."""
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
        """Return the JSON body.

        The limit is always included, because native models default to 256 tokens.
        """
        is_openais = self.speaks_openai(question.provider_id)
        reasoning_name = self._reasoning_name(question)
        value: dict[str, Any] = {
            "messages": [message.as_dict(reasoning_name) for message in question.messages],
            "stream": stream,
            question.limit_name or self.limit_name: question.max_tokens,
        }
        for name, parameter in question.parameters.items():
            if not is_openais or name not in ONLY_WORKERS_AI:
                value[name] = parameter
        if question.reject_if_busy and not is_openais:
            value["options"] = {"rejectIfBusy": True}
        if is_openais:
            value = {**question.forwarded, **value}
            value["model"] = question.provider_id
            if stream:
                value["stream_options"] = {"include_usage": True}
        return msgspec.json.encode(value)  # with images, three times as fast as `json`
