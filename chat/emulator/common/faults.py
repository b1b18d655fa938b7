"""Define everything that can go wrong at Workers AI: errors by code, and interrupted streams.

An error has one of three bodies: the API edge's envelope (wrong token, unknown route), the Workers
AI envelope ("AiError: AiError: … (uuid)"), or an HTML page from the network in front of both.
"""

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

Envelope = Literal["edge", "workers_ai", "html"]


class Break(Enum):
    """How a stream ends abnormally."""

    ERROR = "an error object, then the end"
    STALL = "silence"
    COMMENTS = "keep-alive comments, and nothing else"
    CUT = "a clean end that comes too early"
    RESET = "a connection reset"


class StreamReset(Exception):
    """The body stops here: its server must drop the connection without ending the response."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of error response. `name` is the argument of /error."""

    name: str
    status: int
    code: int
    message: str
    envelope: Envelope = "workers_ai"
    retry_after_seconds: int | None = None


class Refusal(Exception):
    """A request is answered with a fault, whose message is filled in with `details`."""

    def __init__(self, name: str, **details: object) -> None:
        self.fault = FAULTS[name]
        known = _PLAUSIBLE | details
        self.message = _BLANK.sub(lambda blank: str(known[blank[1]]), self.fault.message)
        super().__init__(self.message)


_BLANK = re.compile(r"\{(\w+)\}")
_PLAUSIBLE: dict[str, object] = {
    "model": "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
    "tokens": 42481,
    "limit": 32000,
    "path": "/client/v4/accounts/unknown/ai/run",
    "method": "GET",
    "problem": (
        "oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt', "
        "Type mismatch of '/messages/0/content', 'array' not in 'string'"
    ),
}


def _vllm(message: str) -> str:
    """Return an error in the JSON format of the inference server."""
    error = {"object": "error", "message": message, "type": "BadRequestError"}
    return json.dumps({**error, "param": None, "code": 400})


def _edge(code: int, status: int, message: str) -> Fault:
    return Fault(str(code), status, code, message, "edge")


def _ai(code: int, status: int, message: str) -> Fault:
    return Fault(str(code), status, code, message)


def _page(status: int, title: str) -> Fault:
    return Fault(str(status), status, status, title, "html")


FAULTS: dict[str, Fault] = {
    fault.name: fault
    for fault in (
        _edge(9106, 400, "Missing X-Auth-Key, X-Auth-Email or Authorization headers"),
        _edge(6003, 400, "Invalid request headers"),
        _edge(10000, 401, "Authentication error"),
        _edge(9109, 403, "Unauthorized to access requested resource"),
        _edge(7003, 404, "Could not route to {path}, perhaps your object identifier is invalid?"),
        _edge(7000, 400, "No route for that URI"),
        _edge(7001, 405, "Method {method} not available for that URI."),
        # The per-minute limit: no capture shows its code, so this is that of an ordinary API limit.
        Fault("429", 429, 971, "Please wait and slow down your requests", "edge", 2),
        _ai(5007, 400, "No such model {model} or task"),
        _ai(3042, 404, "Invalid model ID"),
        _ai(5004, 400, "Invalid data for base64 input"),
        _ai(3003, 400, "Missing headers or body"),
        _ai(3039, 400, "Finetune is missing required files"),
        _ai(5006, 400, "Bad input: Error: {problem}"),
        _ai(8001, 400, "Invalid input"),
        _ai(8006, 400, "Invalid data for image"),
        _ai(
            8007,
            400,
            _vllm(
                "This model's maximum context length is {limit} tokens. However, you requested "
                "16000 output tokens and your prompt contains at least {tokens} input tokens. "
                "Please reduce the length of the input prompt or the number of output tokens."
            ),
        ),
        Fault("system-order", 400, 8007, _vllm("System message must be at the beginning.")),
        _ai(
            5021,
            413,
            "The estimated number of input and maximum output tokens ({tokens}) exceeded "
            "this model context window limit ({limit}).",
        ),
        _ai(3030, 400, "Max context reached {tokens} tokens but model supports only {limit}"),
        _ai(3006, 413, "Request is too large"),
        _ai(5016, 403, "Model agreement required: send the prompt 'agree' once"),
        _ai(5018, 403, "Account not allowed for private model"),
        _ai(3041, 403, "Account not allowed for private model"),
        _ai(3023, 403, "Service unavailable for account"),
        _ai(
            5035,
            403,
            "Model {model} is not available on the Workers Free plan. Upgrade to access this "
            "model: https://dash.cloudflare.com/?to=/:account/workers/plans",
        ),
        _ai(5005, 405, "LoRA is not supported by this model"),
        _ai(5019, 405, "SDK version is deprecated"),
        _ai(3007, 408, "Request timeout"),
        _ai(3046, 408, "Request timeout"),
        _ai(3008, 408, "Request was aborted"),
        _ai(
            4006,
            429,
            "you have used up your daily free allocation of 10,000 neurons, please upgrade to "
            "Cloudflare's Workers Paid plan if you would like to continue usage.",
        ),
        _ai(
            3036,
            429,
            "You have used up your daily free allocation of 10,000 neurons. Please upgrade to "
            "Cloudflare's Workers Paid plan if you would like to continue usage.",
        ),
        _ai(3040, 429, "Capacity temporarily exceeded, please try again."),
        _ai(2003, 429, "Too many requests"),
        _ai(2001, 400, "Please configure AI Gateway in the Cloudflare dashboard"),
        _ai(2009, 401, "Unauthorized"),
        _ai(2016, 424, "Prompt blocked due to security configurations"),
        _ai(2017, 424, "Response blocked due to security configurations"),
        _ai(2021, 402, "Not enough credits to scan the request"),
        _ai(7013, 503, "Guardrails are unavailable"),
        _ai(3043, 500, "Internal server error"),
        _ai(5028, 500, "Internal server error"),
        _ai(8005, 500, "Internal server error"),
        _page(502, "Bad gateway"),
        _page(503, "Service temporarily unavailable"),
        _page(504, "Gateway time-out"),
        _page(520, "Web server is returning an unknown error"),
        _page(522, "Connection timed out"),
        _page(524, "A timeout occurred"),
    )
}


def envelope(refusal: Refusal, request_id: str) -> dict[str, Any]:
    """Return the JSON body of the error response."""
    code, message = refusal.fault.code, refusal.message
    if refusal.fault.envelope == "edge":
        error: dict[str, Any] = {"code": code, "message": message}
        if code == 6003:
            chained = {"code": 6111, "message": "Invalid format for Authorization header"}
            error["error_chain"] = [chained]
        return {"result": None, "success": False, "errors": [error], "messages": []}
    text = f"AiError: AiError: {message} ({request_id})"
    return {
        "errors": [{"message": text, "code": code}],
        "success": False,
        "result": {},
        "messages": [],
    }


def html_page(refusal: Refusal, ray: str) -> str:
    """Return the page that the network shows if it cannot reach the API."""
    status, title = refusal.fault.status, refusal.message
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><title>{status}: {title}</title></head>\n'
        f"<body><h1>{title}</h1><p>Error code {status}</p><p>Ray ID: {ray}</p></body>\n</html>\n"
    )
