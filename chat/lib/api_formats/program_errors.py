"""Tell which addresses are for programs with an API key, and answer them in their own format."""

import re

from chat.errors import ChatError
from chat.lib.api_formats.cloudflare_errors import cloudflare_error
from chat.lib.api_formats.openai_errors import ApiError, api_error

#: Paths for programs with an API key; those of Cloudflare's own format among them.
KEY_PATH = re.compile(r"/(v1|client/v4)(/|$)")
CLOUDFLARE_PATH = re.compile(r"/client/v4(?!/accounts/[^/]*/ai/v1/)(/|$)")


def error_for_program(path: str, error: ChatError) -> ApiError | None:
    """Return the error in the format of the programs that use `path`; None for other paths."""
    if not KEY_PATH.match(path):
        return None
    return cloudflare_error(error) if CLOUDFLARE_PATH.match(path) else api_error(error)
