"""Errors in the shape that OpenAI's clients read."""

from typing import Any

#: What the types of errors are called there, by HTTP status.
TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}


def error_body(code: str, message: str, *, retryable: bool, status: int = 500) -> dict[str, Any]:
    """The JSON of an error; `status` is that of the response, 500 inside a stream."""
    kind = "server_error" if status >= 500 else TYPES.get(status, "invalid_request_error")
    error = {"message": message, "type": kind, "param": None, "code": code, "retryable": retryable}
    return {"error": error}
