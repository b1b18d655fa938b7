"""What the upstream sends, step by step: bytes, pauses and the requested fault."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.chaos.directive import STALLS, Directive, token

UNFINISHED_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class UpstreamPause:
    """Silence for some seconds, or until so many seconds after the start of the call."""

    seconds: float = 0.0
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class Reset:
    """Reset the connection."""


Step = bytes | UpstreamPause | Reset


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    body: bytes
    content_type: str = "application/json"


def refusal(directive: Directive, call: int) -> Refusal | None:
    """Return a response other than a stream, if the directive asks for one."""
    if directive.times and call > directive.times:
        return None
    match directive.fault:
        case "allocation":
            return _error(429, 3036, "you have used up your daily free allocation of neurons")
        case "capacity":
            return _error(429, 3040, "Capacity temporarily exceeded, please try again.")
        case "html":
            return Refusal(502, b"<html><h1>502 Bad Gateway</h1>cloudflare</html>", "text/html")
    return None


def _error(status: int, code: int, message: str) -> Refusal:
    value = {"errors": [{"message": f"AiError: {message}", "code": code}], "success": False}
    return Refusal(status, json.dumps(value | {"result": {}, "messages": []}).encode())


def plan(directive: Directive, call: int) -> Iterator[Step]:
    """Return the steps of one streamed answer."""
    chance = random.Random(f"{directive.mark}.{call}")
    faulty = directive.fault and not (directive.times and call > directive.times)
    count, tokens, rate = 0, directive.tokens, directive.tokens_per_second
    if call > 1:
        tokens, rate = directive.again, 0.0
    while tokens < 0 or count < tokens:
        if faulty and count == directive.fault_at:
            yield from _fault(directive, call)
            if directive.fault not in STALLS:
                return
        count += 1
        if rate:
            yield UpstreamPause(until=count / rate)
        elif count % 50 == 0:
            yield UpstreamPause()
        event = _event(token(directive.mark, call, count, directive.padding_chars), chance)
        yield from _pieces(event, chance) if directive.torn else [event]
    usage = {"prompt_tokens": 9, "completion_tokens": count, "total_tokens": 9 + count}
    yield b"data: %b\n\n" % json.dumps({"response": "", "usage": usage}).encode()
    yield b"data: [DONE]\n\n"


def _fault(directive: Directive, call: int) -> Iterator[Step]:
    """Return the steps of the fault in place of the next token."""
    at = directive.fault_at + 1
    event = _event(token(directive.mark, call, at) + "漢", random.Random(0), ascii_only=False)
    match directive.fault:
        case "mid_token":
            yield event[: len(event) // 2]
        case "mid_utf8":
            yield event[: event.index("漢".encode()) + 1]
        case "mid_event":
            yield event[:-1]
        case "reset":
            yield Reset()
        case "stall":
            yield UpstreamPause(UNFINISHED_SECONDS)
        case "comments":
            for _ in range(200):
                yield b": still here\n\n"
                yield UpstreamPause(0.25)
        case "error_event":
            yield b'data: {"errors":[{"message":"AiError: it broke","code":3043}],"success":false}\n\n'


def _event(text: str, chance: random.Random, ascii_only: bool | None = None) -> bytes:
    escaped = chance.random() < 0.2 if ascii_only is None else ascii_only
    value = {"response": text, "p": "abcdefghijklmnop"[: chance.randrange(17)]}
    return b"data: %b\n\n" % json.dumps(value, ensure_ascii=escaped).encode()


def _pieces(event: bytes, chance: random.Random) -> Iterator[Step]:
    """Yield the bytes whole or in two or three pieces, sometimes with pauses."""
    places = sorted(chance.sample(range(1, len(event)), chance.choice((0, 0, 1, 2))))
    start = 0
    for place in [*places, len(event)]:
        if start and chance.random() < 0.3:
            yield UpstreamPause(0.001)
        yield event[start:place]
        start = place
