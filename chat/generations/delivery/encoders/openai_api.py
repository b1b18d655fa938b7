"""Encode answers for programs with an API key: as chat completions, with OpenAI's error codes."""

from typing import Any

from chat.generations.delivery.encoders.base import event
from chat.generations.delivery.encoders.openai import OpenAIEncoder
from chat.lib.api_formats import openai_errors


class OpenAIApiEncoder(OpenAIEncoder):
    """Encode the stream of a chat completion."""

    def error_event(self, error: dict[str, Any]) -> bytes:
        return event(openai_errors.streamed_body(error))
