"""Build errors in the format of Cloudflare's API, whose clients read a numeric code."""

from typing import Any, NamedTuple

from chat.errors import ChatError, ContextTooLong, NotAuthenticated, QuotaExceeded
from chat.lib.api_formats.openai_errors import ApiError, is_rate, message_of


class _Known(NamedTuple):
    status: int
    code: int


_BAD_INPUT = _Known(400, 5006)
_NO_MODEL = _Known(400, 5007)
_CONTEXT = _Known(413, 5021)
_CAPACITY = _Known(429, 3040)
_SLOW_DOWN = _Known(429, 971)
_NO_QUOTA = _Known(429, 4006)
_TIMEOUT = _Known(408, 3046)
_FAILED = _Known(500, 8005)
_BY_CODE = {
    "unknown_model": _NO_MODEL,
    "model_removed": _NO_MODEL,
    "prompt_too_long": _CONTEXT,
    "context_too_long": _CONTEXT,
    "conversation_full": _CONTEXT,
    "rate_limit_exceeded": _SLOW_DOWN,
    "allocation_exhausted": _NO_QUOTA,
    "credit_exhausted": _NO_QUOTA,
    "out_of_capacity": _CAPACITY,
    "upstream_busy": _CAPACITY,
    "upstream_rate_limited": _CAPACITY,
    "upstream_timeout": _TIMEOUT,
    "unknown_url": _Known(400, 7000),
    "method_not_allowed": _Known(405, 7001),
}


def cloudflare_error(error: ChatError) -> ApiError:
    """Return the response for a client of Cloudflare's."""
    known = _known(error)
    message = message_of(error)
    if isinstance(error, ContextTooLong) and error.limit_tokens:
        message = (
            "The estimated number of input and maximum output tokens exceeded "
            f"this model context window limit ({error.limit_tokens})."
        )
    headers = {"X-Should-Retry": "false"} if known is _NO_QUOTA else {}
    return ApiError(known.status, error_envelope(known.code, message), headers)


def streamed_error(error: dict[str, Any]) -> dict[str, Any]:
    """Return the event for an error inside a stream, from the log's `code` and `message`."""
    known = _BY_CODE.get(error["code"], _FAILED)
    return error_envelope(known.code, error["message"])


def error_envelope(code: int, message: str) -> dict[str, Any]:
    problem = {"code": code, "message": message}
    return {"result": None, "success": False, "errors": [problem], "messages": []}


def envelope(result: Any) -> dict[str, Any]:
    """Return a successful answer in Cloudflare's envelope."""
    return {"result": result, "success": True, "errors": [], "messages": []}


def _known(error: ChatError) -> _Known:
    if isinstance(error, QuotaExceeded):
        return _SLOW_DOWN if is_rate(error) else _NO_QUOTA
    if isinstance(error, NotAuthenticated):
        return _Known(401, 10000)
    if known := _BY_CODE.get(error.code):
        return known
    by_status = {
        400: _BAD_INPUT,
        403: _Known(403, 9109),
        404: _Known(404, 7003),
        413: _Known(413, 3006),
    }
    return by_status.get(error.status) or (
        _Known(error.status, _FAILED.code) if error.status >= 500 else _Known(error.status, 5006)
    )
