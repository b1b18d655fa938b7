"""Sign event IDs with which a client without a session resumes an answer: `<token>.<number>`.

An EventSource sends nothing else when it reconnects, possibly from another address. The token names
the generation and proves that the client was given it.
"""

import base64
import binascii
import hmac
import uuid
from typing import NamedTuple

from django.utils.crypto import salted_hmac

from chat.generations.delivery.responses import MAX_CURSOR_DIGITS
from chat.lib.whole_number import whole_number

SALT = "runnel.resume"
MAC_BYTES = 11  # with the 16 bytes of the generation's ID, 36 characters of base64


class ResumePoint(NamedTuple):
    """A generation, and the number of the last event that the client received."""

    generation_id: uuid.UUID
    after: int


def resume_prefix(generation_id: uuid.UUID) -> str:
    """Return the token and dot that precede an event's number."""
    token = generation_id.bytes + _mac(generation_id)
    return base64.urlsafe_b64encode(token).decode() + "."


def read_resume_id(text: str) -> ResumePoint | None:
    """Return the resume point of an event ID, or None if we did not sign it."""
    token, _, digits = text.rpartition(".")
    after = whole_number(digits, most_digits=MAX_CURSOR_DIGITS)
    if after is None:
        return None
    try:
        raw = base64.b64decode(token, altchars=b"-_", validate=True)
        generation_id = uuid.UUID(bytes=raw[:16])
    except (binascii.Error, ValueError):
        return None
    if not hmac.compare_digest(raw[16:], _mac(generation_id)):
        return None
    return ResumePoint(generation_id, after)


def number_in(event_id: str | None, generation_id: uuid.UUID) -> str | None:
    """Return the number in an event ID of that generation; return any other ID unchanged."""
    point = read_resume_id(event_id or "")
    return str(point.after) if point and point.generation_id == generation_id else event_id


def _mac(generation_id: uuid.UUID) -> bytes:
    digest: bytes = salted_hmac(SALT, generation_id.bytes, algorithm="sha256").digest()
    return digest[:MAC_BYTES]
