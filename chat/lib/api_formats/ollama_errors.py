"""Build errors in the format of Ollama's clients, which read a status and a text.

What has which status is decided as for OpenAI's clients.
"""

from typing import Any

from chat.errors import ChatError
from chat.lib.api_formats import openai_errors
from chat.lib.api_formats.openai_errors import ApiError


def ollama_error(error: ChatError) -> ApiError:
    """Return the response for a client of Ollama's."""
    told = openai_errors.api_error(error)
    return ApiError(told.status, _object(told.body), told.headers)


def streamed_object(error: dict[str, Any]) -> dict[str, str]:
    """Return the line for an error inside a stream, from the log's `code` and `message`."""
    return _object(openai_errors.streamed_body(error))


def _object(body: dict[str, Any]) -> dict[str, str]:
    return {"error": body["error"]["message"]}
