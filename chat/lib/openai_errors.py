"""Build errors in the format that OpenAI's clients read."""

from typing import Any

#: OpenAI's error types by HTTP status.
TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}


def error_body(code: str, message: str, *, retryable: bool, status: int = 500) -> dict[str, Any]:
    """Return the JSON body of an error. `status` is the response's, or 500 inside a stream."""
    kind = "server_error" if status >= 500 else TYPES.get(status, "invalid_request_error")
    error = {"message": message, "type": kind, "param": None, "code": code, "retryable": retryable}
    return {"error": error}
