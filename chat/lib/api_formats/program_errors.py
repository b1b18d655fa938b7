"""Tell which addresses are for programs with an API key, and answer them in their own format."""

import re

from chat.errors import ChatError
from chat.lib.api_formats.anthropic_errors import anthropic_error
from chat.lib.api_formats.cloudflare_errors import cloudflare_error
from chat.lib.api_formats.ollama_errors import ollama_error
from chat.lib.api_formats.openai_errors import ApiError, api_error

#: Paths for programs with an API key; those of Cloudflare's and Ollama's own formats among them.
KEY_PATH = re.compile(r"/(v1|client/v4|api)(/|$)")
#: Paths for programs with a service key. No page of another origin reads their responses.
SERVICE_PATH = re.compile(r"/v1/review(/|$)")
CLOUDFLARE_PATH = re.compile(r"/client/v4(?!/accounts/[^/]*/ai/v1/)(/|$)")
OLLAMA_PATH = re.compile(r"/api(/|$)")
ANTHROPIC_PATH = re.compile(r"/v1/messages(/|$)")
#: A header of every request of Anthropic's clients; both APIs have `/v1/models`.
VERSION_HEADER = "anthropic-version"


def error_for_program(path: str, error: ChatError, version: str = "") -> ApiError | None:
    """Return the error in the format of the programs that use `path`; None for other paths.

    `version` is the value of the request's `VERSION_HEADER`.
    """
    if not KEY_PATH.match(path):
        return None
    if CLOUDFLARE_PATH.match(path):
        return cloudflare_error(error)
    if OLLAMA_PATH.match(path):
        return ollama_error(error)
    return anthropic_error(error) if speaks_anthropic(path, version) else api_error(error)


def speaks_anthropic(path: str, version: str) -> bool:
    """Return whether a request to the API comes from a client of Anthropic's."""
    return bool(ANTHROPIC_PATH.match(path) or version)
