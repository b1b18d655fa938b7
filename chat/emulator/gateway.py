"""Emulate AI Gateway: its cache, retries, time limits, routes and its own addresses.

A request goes through it if it names a gateway in `cf-aig-gateway-id`, or comes to an address below
`/v1/{account}/{gateway}/`, as on gateway.ai.cloudflare.com. Any gateway exists.
"""

import asyncio
import random
import re
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any
from uuid import UUID

from chat.emulator.common.faults import Refusal
from chat.emulator.common.recent import Recent
from chat.emulator.wire import BASE_PATH, EVENT_STREAM, Answer, Call, Headers, whole
from chat.lib.worker_thread import off_loop

MIN_TTL_SECONDS = 60
TTL_SECONDS_OF_A_CUSTOM_KEY = 300
MAX_ATTEMPTS = 5
MAX_DELAY_MILLISECONDS = 5000
ROUTE_PREFIX = "dynamic/"
MODEL_PREFIX = "workers-ai/"
#: What a gateway tries again, and what makes a route use its next model.
RETRIED = frozenset({408, 429})

_OWN = re.compile(r"/v1/(?P<account>[^/]+)/(?P<gateway>[^/]+)(?P<rest>/.*)?")
_REWRITTEN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/workers-ai/v1/(.+)"), "/ai/v1/{0}"),
    (re.compile(r"/workers-ai/(?:run/)?(@.+)"), "/ai/run/{0}"),
    (re.compile(r"/compat/(.+)"), "/ai/v1/{0}"),
)

Ask = Callable[[Call], Answer]
LONG_BODY_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the headers of a request ask of the gateway."""

    gateway: str
    ttl_seconds: float | None  # None: no caching
    attempts: int
    delay_seconds: float
    is_exponential: bool
    timeout_seconds: float | None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> "_Wish":
        is_skipped = headers.get("cf-aig-skip-cache") == "true"
        timeout = _number(headers, "cf-aig-request-timeout", 0)
        delay = min(_number(headers, "cf-aig-retry-delay", 0), MAX_DELAY_MILLISECONDS)
        return cls(
            gateway=headers.get("cf-aig-gateway-id", ""),
            ttl_seconds=None if is_skipped else _ttl_seconds(headers),
            attempts=min(max(_number(headers, "cf-aig-max-attempts", 1), 1), MAX_ATTEMPTS),
            delay_seconds=delay / 1000,
            is_exponential=headers.get("cf-aig-backoff") == "exponential",
            timeout_seconds=timeout / 1000 if timeout else None,
        )


@dataclass(frozen=True, slots=True)
class _Stored:
    headers: Headers
    body: bytes
    fresh_until: float


class Gateway:
    """Stand between a client and the models."""

    def __init__(
        self, token: str | None = None, routes: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self._token = token
        self._routes = dict(routes or {})
        self._stored: Recent[str, _Stored] = Recent()

    async def answer(self, call: Call, ask: Ask, rng: random.Random) -> Answer:
        """Answer a request, from the cache or with `ask`, as its headers wish. Raise `Refusal`."""
        wish = _Wish.of(call.headers)
        if not wish.gateway:
            return await _answer_to(call, ask)
        self._authenticate(call.headers)
        headers = [("cf-aig-log-id", str(_log_id(rng)))]
        key = _cache_key(call, wish)
        stored = self._stored.get(key)
        if stored and wish.ttl_seconds is not None and stored.fresh_until > time.monotonic():
            cached = Answer(200, stored.headers, whole(stored.body))
            return cached.with_headers([*headers, ("cf-aig-cache-status", "HIT")])
        answer = await _tried(call, ask, wish)
        if wish.ttl_seconds is not None and EVENT_STREAM not in answer.headers:
            answer = replace(answer, body=self._keep(key, answer, wish.ttl_seconds))
        return answer.with_headers([*headers, ("cf-aig-cache-status", "MISS")])

    def route(self, call: Call, name: str, ask: Callable[[str], Answer]) -> Answer:
        """Answer with the first model of a dynamic route that does not fail; raise `Refusal`."""
        models = self._routes.get(name)
        if models is None or "cf-aig-gateway-id" not in call.headers:
            raise Refusal("2001")
        return _first(
            models, ask, lambda step, model: [*_step(step), ("cf-aig-model", model), _PROVIDER]
        )

    def universal(self, steps: list[Any], ask: Callable[[Any], Answer]) -> Answer:
        """Answer with the first of the universal endpoint's steps that does not fail."""
        if not steps:
            raise Refusal("5006", problem="the list of steps is empty")
        return _first(steps, ask, lambda step, _entry: _step(step))

    def _authenticate(self, headers: Mapping[str, str]) -> None:
        if self._token and headers.get("cf-aig-authorization") != f"Bearer {self._token}":
            raise Refusal("2009")

    async def _keep(self, key: str, answer: Answer, seconds: float) -> AsyncGenerator[bytes, None]:
        """Pass the document on, and store it if it was complete."""
        parts = []
        async with aclosing(answer.body) as body:
            async for part in body:
                parts.append(part)
                yield part
        until = time.monotonic() + seconds
        self._stored[key] = _Stored(answer.headers, b"".join(parts), until)


_PROVIDER = ("cf-aig-provider", "workers-ai")


def readdressed(call: Call) -> Call:
    """Return a request to an address of the gateway's own as one that names it in a header."""
    match = _OWN.fullmatch(call.path)
    if not match:
        return call
    rest = match["rest"] or ""
    for pattern, path in _REWRITTEN:
        if matched := pattern.fullmatch(rest):
            rest = path.format(matched[1])
            break
    headers = {**call.headers, "cf-aig-gateway-id": match["gateway"]}
    path = f"{BASE_PATH}/accounts/{match['account']}{rest or '/ai/universal'}"
    return replace(call, path=path, headers=headers)


def _first(
    choices: Any, ask: Callable[[Any], Answer], headers_of: Callable[[int, Any], Headers]
) -> Answer:
    for step, choice in enumerate(choices):
        try:
            return ask(choice).with_headers(headers_of(step, choice))
        except Refusal as refusal:
            if step == len(choices) - 1 or not _may_pass(refusal):
                raise
    raise Refusal("2001")


def _step(step: int) -> Headers:
    return [("cf-aig-step", str(step))]


def _may_pass(refusal: Refusal) -> bool:
    return refusal.fault.status in RETRIED or refusal.fault.status >= 500


async def _answer_to(call: Call, ask: Ask) -> Answer:
    """Read a long request in a thread: it may share the event loop with a site."""
    return await off_loop(ask, call) if len(call.body) > LONG_BODY_BYTES else ask(call)


async def _tried(call: Call, ask: Ask, wish: _Wish) -> Answer:
    """Try as often as the request allows. The last attempt has no time limit."""
    delay = wish.delay_seconds
    for left in range(wish.attempts - 1, -1, -1):
        try:
            limit = wish.timeout_seconds if left or wish.attempts == 1 else None
            return await _begun(await _answer_to(call, ask), limit)
        except Refusal as refusal:
            if not left or not _may_pass(refusal):
                raise
        await asyncio.sleep(delay)
        delay *= 2 if wish.is_exponential else 1
    raise Refusal("3046")


async def _begun(answer: Answer, limit_seconds: float | None) -> Answer:
    """Wait for the first byte, within the limit. Raise `Refusal` if it is late."""
    if limit_seconds is None:
        return answer
    try:
        async with asyncio.timeout(limit_seconds):
            first = await anext(answer.body, b"")
    except TimeoutError:
        await answer.body.aclose()
        raise Refusal("3046") from None
    return replace(answer, body=_chained(first, answer.body))


async def _chained(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for part in rest:
            yield part


def _cache_key(call: Call, wish: _Wish) -> str:
    named = call.headers.get("cf-aig-cache-key")
    return f"{wish.gateway} {named or sha256(call.path.encode() + call.body).hexdigest()}"


def _ttl_seconds(headers: Mapping[str, str]) -> float | None:
    text = headers.get("cf-aig-cache-ttl", "")[:9]
    if text.isdecimal():
        return max(MIN_TTL_SECONDS, int(text))
    return TTL_SECONDS_OF_A_CUSTOM_KEY if headers.get("cf-aig-cache-key") else None


def _number(headers: Mapping[str, str], name: str, default: int) -> int:
    text = headers.get(name, "")[:9]
    return int(text) if text.isdecimal() else default


def _log_id(rng: random.Random) -> UUID:
    """Return a UUID of version 7 (RFC 9562): the time in milliseconds, then random bits."""
    value = int(time.time() * 1000) << 80 | rng.getrandbits(80)
    version, variant = 7 << 76, 2 << 62
    return UUID(int=value & ~(0xF << 76) & ~(3 << 62) | version | variant)
