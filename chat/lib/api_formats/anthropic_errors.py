"""Build errors in the format that Anthropic's clients read.

What is worth repeating is decided as for OpenAI's clients; types and some statuses are Anthropic's.
"""

from typing import Any

from chat.errors import ChatError
from chat.lib import trace
from chat.lib.api_formats import openai_errors
from chat.lib.api_formats.openai_errors import ApiError

OVERLOADED = 529
#: Statuses of the site that Anthropic's API has others for.
STATUSES = {502: 500, 503: OVERLOADED}
TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    OVERLOADED: "overloaded_error",
}
#: Codes by which the SDKs go on in another way.
DETAILED = frozenset({"thread_unsupported_request"})
#: Agents look for these words, and shorten the conversation.
TOO_LONG = "prompt is too long: "


def anthropic_error(error: ChatError) -> ApiError:
    """Return the response for a client of Anthropic's."""
    told = openai_errors.api_error(error)
    status = STATUSES.get(told.status, told.status)
    message = told.body["error"]["message"]
    if told.body["error"]["code"] == "context_length_exceeded":
        message = TOO_LONG + message
    body = error_object(status, message, trace.request_id.get())
    if error.code in DETAILED:
        body["error"]["details"] = {"error_code": error.code}
    return ApiError(status, body, told.headers)


def streamed_object(error: dict[str, Any], request_id: str) -> dict[str, Any]:
    """Return the event for an error inside a stream, from the log's `code` and `message`."""
    message = openai_errors.streamed_body(error)["error"]["message"]
    status = openai_errors.streamed_status(error["code"])
    return error_object(STATUSES.get(status, status), message, request_id)


def error_object(status: int, message: str, request_id: str) -> dict[str, Any]:
    kind = TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error")
    error = {"type": kind, "message": message}
    return {"type": "error", "error": error, "request_id": request_id or None}
