"""Keep the headers that a server asks for, such as its token, encrypted and out of its messages."""

import logging
from collections.abc import Iterable, Mapping

import msgspec

from chat.database.encrypted_text import SecretBox, Unreadable

log = logging.getLogger(__name__)

#: Shorter values of headers are no secrets, and may be anywhere in a text.
MIN_SECRET_CHARS = 12
MASK = b"[secret]"
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


def hidden_in(values: Iterable[str]) -> list[bytes]:
    """Return what must not be in a server's messages: values of headers, as JSON may spell them.

    Of `Bearer abc`, the token alone is one, too.
    """
    secrets = {part for each in values for part in (each, each.rpartition(" ")[2])}
    spelled = [
        form
        for each in secrets
        if len(each) >= MIN_SECRET_CHARS
        for plain in (each.encode(), msgspec.json.encode(each)[1:-1])
        for form in (plain, plain.replace(b"/", rb"\/"))
    ]
    return sorted(set(spelled), key=len, reverse=True)


def masked(data: bytes, secrets: Iterable[bytes]) -> bytes:
    """Return what a server has sent without these. Members and models read it."""
    for each in secrets:
        data = data.replace(each, MASK)
    return data
