"""Keep the headers that a server asks for, such as its token, encrypted."""

import logging
from collections.abc import Mapping

import msgspec

from chat.database.encrypted_text import SecretBox, Unreadable

log = logging.getLogger(__name__)

_box = SecretBox(b"runnel.mcp_headers")


def sealed(headers: Mapping[str, str]) -> str:
    """Return what to store of the headers."""
    return _box.encrypt(msgspec.json.encode(headers).decode()) if headers else ""


def headers_in(secret: str) -> dict[str, str]:
    """Return the headers; none if they can't be decrypted, so that the server will refuse."""
    if not secret:
        return {}
    try:
        return msgspec.json.decode(_box.decrypt(secret), type=dict[str, str])
    except Unreadable:
        log.error(
            "an MCP server's headers can't be decrypted; SECRET_KEY has changed: enter them again"
        )
        return {}


def renewed(secret: str) -> str:
    """Return the headers encrypted under the current key. Raise `Unreadable`."""
    return secret if not secret or _box.is_current(secret) else _box.encrypt(_box.decrypt(secret))
