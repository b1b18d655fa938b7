"""Give each mail to a visitor an address to reply to, which only that mail has.

The part after the plus sign names the chat and the day, and is signed: `reply+<token>@<domain>`.
It is written in base 32, because mail servers may change the case of letters. An address ends with
its time, with the chat, or when the visitor removes or changes theirs.
"""

import base64
import binascii
from dataclasses import dataclass
from hmac import compare_digest
from time import time
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

from chat.inbox.models import VisitorEmail
from chat.widget_sites.visits import open_sites

SALT = "chat.inbox.reply_addresses"
VALID_DAYS = 90
DAY_SECONDS = 24 * 3600
#: Of the token: the chat, the day, and the signature.
ID_BYTES, DAY_BYTES, SIGNATURE_BYTES = 16, 2, 10
TOKEN_LENGTH = 45


class NoSuchAddress(Exception):
    """Nobody is to reply to this address, for a reason that the log has."""


@dataclass(frozen=True, slots=True)
class MailThread:
    """What a mail has so that the visitor can reply, and mail programs show it in a thread."""

    reply_to: str
    headers: dict[str, str]


def is_offered() -> bool:
    """Return whether visitors can reply by email on this site."""
    return bool(settings.INBOUND_MAIL_ADDRESS)


def parts() -> tuple[str, str]:
    """Return what is before the token in an address, and the domain."""
    local, _at, domain = settings.INBOUND_MAIL_ADDRESS.partition("@")
    return local, domain


def thread_of(to: VisitorEmail) -> MailThread:
    """Return the address for a new mail to the visitor, and its headers."""
    local, domain = parts()
    named = to.pk.bytes + _today().to_bytes(DAY_BYTES, "big")
    signed = named + _signature(named, to, settings.SECRET_KEY)
    token = base64.b32encode(signed).decode().rstrip("=").lower()
    first = salted_hmac(f"{SALT}.thread", str(to.pk), algorithm="sha256").hexdigest()[:32]
    # No mail has this ID, but all of a chat refer to it.
    thread = f"<chat-{first}@{domain}>"
    return MailThread(
        f"{local}+{token}@{domain}",
        {
            "In-Reply-To": thread,
            "References": thread,
            # Programs that answer by themselves then don't (RFC 3834; Exchange).
            "Auto-Submitted": "auto-generated",
            "X-Auto-Response-Suppress": "All",
        },
    )


def email_for(token: str) -> VisitorEmail:
    """Return whom the mail was sent to that had this token. Raise `NoSuchAddress`."""
    named, signature = _read(token)
    pk, day = UUID(bytes=named[:ID_BYTES]), int.from_bytes(named[ID_BYTES:], "big")
    emails = VisitorEmail.objects.select_related("conversation__owner__visitor__site")
    email = emails.filter(
        pk=pk,
        conversation__purge_after=None,
        conversation__owner__is_active=True,
        conversation__owner__visitor__site__in=open_sites(),
    ).first()
    if email is None:
        raise NoSuchAddress(
            "the visitor is suspended, or the chat or the visitor's address is gone"
        )
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not any(compare_digest(signature, _signature(named, email, key)) for key in keys):
        raise NoSuchAddress("the reply address isn't valid any more, or never was")
    if not 0 <= _today() - day <= VALID_DAYS:
        raise NoSuchAddress("the reply address has expired")
    return email


def _read(token: str) -> tuple[bytes, bytes]:
    if len(token) != TOKEN_LENGTH:
        raise NoSuchAddress("the reply address isn't one of ours")
    try:
        signed = base64.b32decode(token.upper() + "=" * (-len(token) % 8))
    except binascii.Error:
        raise NoSuchAddress("the reply address isn't one of ours") from None
    return signed[: ID_BYTES + DAY_BYTES], signed[ID_BYTES + DAY_BYTES :]


def _signature(named: bytes, email: VisitorEmail, key: str) -> bytes:
    """Return the signature, which holds until the visitor gives another address, or this anew."""
    value = b"\0".join([named, email.address.encode(), email.agreed_at.isoformat().encode()])
    return salted_hmac(SALT, value, secret=key, algorithm="sha256").digest()[:SIGNATURE_BYTES]


def _today() -> int:
    return int(time()) // DAY_SECONDS
