"""What providers refuse keeps its meaning: filters, credit, limits and prompts that are too long."""

import json
from typing import Any

import pytest

from chat.errors import (
    ContentFiltered,
    ContextTooLong,
    CreditExhausted,
    NotConfigured,
    UpstreamError,
    UpstreamRateLimited,
    UpstreamRejected,
)
from chat.lib.api_formats.openai_errors import api_error
from chat.upstream.chunks import decode_document
from chat.upstream.errors import ReportedError, error_for, reported_error


def refusal(body: Any, status: int | None) -> UpstreamError:
    """Return the error for a response, or for a whole body with the status 200."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    chunk = decode_document(text)
    reported = reported_error(chunk, "error" if status else "message") if chunk else None
    return error_for(reported or ReportedError(None, ""), status)


def error(message: str, code: object = None, **more: object) -> dict[str, Any]:
    return {"error": {"message": message, "code": code, **more}}


AZURE = error(
    "The response was filtered because the prompt triggered a policy.",
    "content_filter",
    param="prompt",
    innererror={"code": "ResponsibleAIPolicyViolation"},
)
TOO_LONG = error("This model's maximum context length is 8192 tokens.", "context_length_exceeded")
QUOTA = [error("You exceeded your current quota.", 429, status="RESOURCE_EXHAUSTED")]
CREDITS = error("This request requires more credits, or fewer max_tokens.", 402)
REFUSALS: dict[str, tuple[Any, int | None, type[UpstreamError]]] = {
    "Azure's filter": (AZURE, 400, ContentFiltered),
    "Azure's prompt that is too long": (TOO_LONG, 400, ContextTooLong),
    "OpenRouter's credits": (CREDITS, 402, CreditExhausted),
    "OpenRouter's credits in a stream": (CREDITS, None, CreditExhausted),
    "DeepSeek's balance": (error("Insufficient Balance", "invalid_request_error"), 402, CreditExhausted),
    "OpenRouter's rate in a whole answer": (error("Provider error", 429), None, UpstreamRateLimited),
    "Gemini's list": (QUOTA, 429, UpstreamRateLimited),
    "Gemini's key": ([error("API key not valid.", 400)], 400, UpstreamRejected),
    "Gemini's overload": ([error("The model is overloaded.", 503)], 503, UpstreamError),
    "an invalid key in a stream": (error("No auth", 401), None, NotConfigured),
    "FastAPI's details": ({"detail": [{"loc": ["body"], "msg": "field required"}]}, 422, UpstreamRejected),
    "a page of a proxy": (b"<html>Bad gateway</html>", 502, UpstreamError),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_keeps_its_meaning(name: str) -> None:
    body, status, kind = REFUSALS[name]
    assert type(refusal(body, status)) is kind


@pytest.mark.parametrize(
    ("body", "status", "expected"),
    [
        (AZURE, 400, (400, "content_filter", "invalid_request_error")),
        (CREDITS, 402, (429, "insufficient_quota", "insufficient_quota")),
        (TOO_LONG, 400, (400, "context_length_exceeded", "invalid_request_error")),
    ],
)
def test_programs_get_openais_code(body: Any, status: int, expected: tuple[int, str, str]) -> None:
    answer = api_error(refusal(body, status))
    found = answer.body["error"]
    assert (answer.status, found["code"], found["type"]) == expected


def test_the_log_says_what_the_provider_said_and_not_its_words() -> None:
    assert str(refusal(CREDITS, 402)) == "credit_exhausted: status=402 code=402 id=-"
