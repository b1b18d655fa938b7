"""Build errors in the format that OpenAI's clients read.

Front ends of websites get the site's own codes; programs with an API key get OpenAI's, because
their clients decide by code and status whether to retry, to shorten the prompt or to give up.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from chat.errors import ChatError, ContextTooLong, ErrorReader, QuotaExceeded

#: OpenAI's error types by HTTP status.
TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}
#: Statuses after which clients retry by themselves.
RETRIED = frozenset({408, 409, 429})
RETRY_AFTER_SECONDS = "2"
#: A limit that resets this soon is a rate; a later one is a quota, and retrying is in vain.
RATE_SECONDS = 60.0


class _Known(NamedTuple):
    status: int
    kind: str
    code: str


_CONTEXT = _Known(400, "invalid_request_error", "context_length_exceeded")
_NO_MODEL = _Known(404, "invalid_request_error", "model_not_found")
_NO_QUOTA = _Known(429, "insufficient_quota", "insufficient_quota")
_RATE = _Known(429, "rate_limit_error", "rate_limit_exceeded")
_BY_CODE = {
    "prompt_too_long": _CONTEXT,
    "context_too_long": _CONTEXT,
    "conversation_full": _CONTEXT,
    "unknown_model": _NO_MODEL,
    "model_removed": _NO_MODEL,
    "allocation_exhausted": _NO_QUOTA,
    "credit_exhausted": _NO_QUOTA,
    "upstream_rate_limited": _Known(503, "server_error", "upstream_rate_limited"),
}


@dataclass(frozen=True, slots=True)
class ApiError:
    """An error as a program with an API key gets it."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


def error_body(code: str, message: str, *, retryable: bool, status: int = 500) -> dict[str, Any]:
    """Return the JSON body of an error. `status` is the response's, or 500 inside a stream."""
    error = {
        "message": message,
        "type": _type_of(status),
        "param": None,
        "code": code,
        "retryable": retryable,
    }
    return {"error": error}


def api_error(error: ChatError) -> ApiError:
    """Return the response for a program with an API key."""
    known = _known(error)
    body = _body(known, message_of(error), error.param)
    headers = {}
    is_retried = known.status in RETRIED or known.status >= 500
    if is_retried and (known is _NO_QUOTA or not error.retryable):
        headers["X-Should-Retry"] = "false"
    elif (known is _RATE or known.status == 503) and error.retry_after_seconds is None:
        headers["Retry-After"] = RETRY_AFTER_SECONDS
    return ApiError(known.status, body, headers)


def streamed_body(error: dict[str, Any]) -> dict[str, Any]:
    """Return the event for an error inside a stream, from the log's `code` and `message`."""
    code = error["code"]
    known = _BY_CODE.get(code) or _Known(500, "server_error", code)
    return _body(known, error["message"], None)


def streamed_status(code: str) -> int:
    """Return the status that an error inside a stream would have had before it."""
    known = _BY_CODE.get(code)
    return known.status if known else 500


def message_of(error: ChatError) -> str:
    """Return the message of an error, for a program."""
    if isinstance(error, ContextTooLong) and error.limit_tokens:
        return (
            f"This model's maximum context length is {error.limit_tokens} tokens. "
            "Shorten the messages or ask for a shorter answer."
        )
    return error.words_for(ErrorReader.PROGRAM)


def is_rate(error: QuotaExceeded) -> bool:
    """Return whether the limit has room again so soon that a client can wait for it."""
    return (error.retry_after_seconds or 0) <= RATE_SECONDS


def _known(error: ChatError) -> _Known:
    if isinstance(error, QuotaExceeded):
        return _RATE if is_rate(error) else _NO_QUOTA
    status = error.status
    return _BY_CODE.get(error.code) or _Known(status, _type_of(status), error.code)


def _type_of(status: int) -> str:
    return "server_error" if status >= 500 else TYPES.get(status, "invalid_request_error")


def _body(known: _Known, message: str, param: str | None) -> dict[str, Any]:
    error = {"message": message, "type": known.kind, "param": param, "code": known.code}
    return {"error": error}
