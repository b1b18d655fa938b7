"""Represent requests and answers as HTTP does; the body of an answer arrives in pieces."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from chat.emulator.common.faults import Break, Refusal, envelope, html_page
from chat.emulator.player import Player, encode_json

Headers = list[tuple[str, str]]

BASE_PATH = "/client/v4"

JSON = ("content-type", "application/json")
EVENT_STREAM = ("content-type", "text/event-stream")
HTML = ("content-type", "text/html; charset=UTF-8")


@dataclass(frozen=True, slots=True)
class Call:
    """An HTTP request. `account` and `model` are taken from its path."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    request_id: str
    account: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response.

    Read the body inside `contextlib.aclosing`, so that the generation ends with its reader.
    """

    status: int
    headers: Headers
    body: AsyncGenerator[bytes, None]

    def with_headers(self, headers: Headers) -> "Answer":
        return replace(self, headers=[*self.headers, *headers])


def json_answer(document: Any, status: int = 200) -> Answer:
    return Answer(status, [JSON], whole(encode_json(document)))


def document_answer(player: Player, headers: Headers) -> Answer:
    """Return the complete answer as one document, for a client that does not stream."""
    if player.script.break_kind is Break.ERROR:
        raise Refusal("8005")
    body = encode_json(player.document())
    cost = ("cf-ai-neurons", f"{player.meter.neurons():.2f}")
    return Answer(200, [JSON, *headers, cost], player.document_body(body))


def refusal_answer(refusal: Refusal, request_id: str, ray: str) -> Answer:
    """Return the error response, in the envelope that belongs to it."""
    fault = refusal.fault
    if fault.envelope == "html":
        return Answer(fault.status, [HTML], whole(html_page(refusal, ray).encode()))
    answer = json_answer(envelope(refusal, request_id), fault.status)
    if fault.retry_after_seconds is None:
        return answer
    return answer.with_headers([("retry-after", str(fault.retry_after_seconds))])


async def whole(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body
