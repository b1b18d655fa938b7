"""Store what a sign-in has given, encrypted, and which process may renew it."""

import time
from datetime import timedelta

import msgspec
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from msgspec import Struct

from chat.database.encrypted_text import SecretBox, Unreadable
from chat.tools.mcp.models import McpSignIn

#: A process that renews a token has so long; then another one may try.
LEASE = timedelta(seconds=30)
#: A token is renewed so long before it ends, so that it lasts for a call.
EARLY_SECONDS = 60
_box = SecretBox(b"runnel.mcp_sign_in")


class Secret(Struct):
    """A value that must be in no log and on no error page."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class OAuthClient(Secret):
    """This site as the authorization server knows it; `is_entered` by the administrator."""

    client_id: str
    secret: str = ""
    method: str = "none"  # how it says who it is: RFC 7591
    is_entered: bool = False
    issuer: str = ""  # to whom alone the secret is sent


class Grant(Secret):
    """A sign-in. Without an `access_token`, it has ended: somebody has to sign in again."""

    client: OAuthClient
    token_endpoint: str
    resource: str
    access_token: str = ""
    refresh_token: str = ""
    ends_at: float | None = None  # of the access token, in seconds since the epoch

    @property
    def is_ending(self) -> bool:
        return self.ends_at is not None and self.ends_at - EARLY_SECONDS < time.time()


class Pending(Secret):
    """A sign-in that has begun. `state` proves that who returns has begun it."""

    state: str
    verifier: str
    issuer: str
    needs_issuer: bool
    reason: str
    grant: Grant


def sealed(value: Grant | Pending) -> str:
    return _box.encrypt(msgspec.json.encode(value).decode())


def grant_in(secret: str) -> Grant | None:
    """Return the grant; None if there is none, or the key is unknown."""
    try:
        return msgspec.json.decode(_box.decrypt(secret), type=Grant) if secret else None
    except Unreadable:
        return None


def pending_in(secret: str) -> Pending | None:
    try:
        return msgspec.json.decode(_box.decrypt(secret), type=Pending) if secret else None
    except Unreadable:
        return None


def begin(server_id: int, pending: Pending) -> None:
    McpSignIn.objects.update_or_create(server_id=server_id, defaults={"pending": sealed(pending)})


def take_pending(server_id: int) -> Pending | None:
    """Return a sign-in that has begun, once."""
    row = McpSignIn.objects.filter(server_id=server_id).exclude(pending="").first()
    if row is None:
        return None
    is_taken = McpSignIn.objects.filter(pk=row.pk, pending=row.pending).update(pending="")
    return pending_in(row.pending) if is_taken else None


def store(server_id: int, grant: Grant) -> None:
    """Store a new sign-in."""
    McpSignIn.objects.filter(server_id=server_id).update(
        grant=sealed(grant), renewed_until=None, signed_in_at=timezone.now()
    )


def stored(server_id: int) -> str:
    """Return the sealed grant; empty if there is none."""
    found = McpSignIn.objects.filter(server_id=server_id).values_list("grant", flat=True)
    return found.first() or ""


def entered_client(server_id: int) -> OAuthClient | None:
    """Return the client that an administrator has entered, to sign in again as the same one."""
    grant = grant_in(stored(server_id))
    return grant.client if grant and grant.client.is_entered else None


def claim(server_id: int, before: str) -> bool:
    """Return whether this process is to renew the grant, which nobody has renewed meanwhile."""
    free = Q(renewed_until=None) | Q(renewed_until__lt=Now())
    rows = McpSignIn.objects.filter(free, server_id=server_id, grant=before)
    return bool(rows.update(renewed_until=Now() + LEASE))


def renew(server_id: int, before: str, grant: Grant | None) -> None:
    """Store a renewed grant, unless somebody has signed in meanwhile. None leaves the old one."""
    after = sealed(grant) if grant else before
    McpSignIn.objects.filter(server_id=server_id, grant=before).update(
        grant=after, renewed_until=None
    )


def reencrypt() -> int:
    """Encrypt all grants under the current SECRET_KEY; return how many. Raise `Unreadable`.

    What has begun only is dropped.
    """
    count = 0
    for row in McpSignIn.objects.exclude(grant="").select_for_update():
        if not _box.is_current(row.grant):
            secret = _box.encrypt(_box.decrypt(row.grant))
            McpSignIn.objects.filter(pk=row.pk).update(grant=secret, pending="")
            count += 1
    return count
