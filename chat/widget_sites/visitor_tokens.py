"""Issue visitor tokens: random, opaque and valid for one site only.

A page holds a bearer token in memory, for an hour at most. A cookie outlives the page; it only
serves to get the next bearer token and the next cookie. Older cookies end only once the next one is
used, so a lost response does not cost visitors their chats. All tokens that descend from one cookie
belong to one device and end with it.

Only digests are stored. The digest covers the prefix that names the kind, so no kind can pass for
the other.
"""

import hashlib
import secrets
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from chat.database.housekeeping import delete_all
from chat.widget_sites.models import Visitor, VisitorToken, WidgetSite

Kind = VisitorToken.Kind
PREFIXES = {Kind.BEARER: "rv_", Kind.COOKIE: "rc_"}
LIFETIMES = {Kind.BEARER: timedelta(hours=1), Kind.COOKIE: timedelta(days=30)}
#: Per kind and visitor. Each page takes a bearer token; each lost response leaves a cookie.
MAX_PER_KIND = 10
MAX_TOKEN_CHARS = 100  # characters; ours are shorter


@dataclass(frozen=True, slots=True)
class TokenPair:
    """The tokens for a page: a bearer token, and the cookie for the next one."""

    bearer: str
    cookie: str


def issue(visitor: Visitor, presented: VisitorToken | None = None) -> TokenPair:
    """Issue new tokens, for the same browser if a token was `presented`.

    If the visitor has too many tokens, the oldest end, but never the presented one, because the
    response may get lost.
    """
    device = presented.device if presented else uuid.uuid4()
    for kind in Kind:
        _make_room(visitor, kind, presented)
    return TokenPair(_make(visitor, Kind.BEARER, device), _make(visitor, Kind.COOKIE, device))


def find(site: WidgetSite, kind: VisitorToken.Kind, text: str) -> VisitorToken | None:
    """Return the token if it belongs to this site and is valid, or None."""
    if len(text) > MAX_TOKEN_CHARS or not text.startswith(PREFIXES[kind]):
        return None
    return (
        VisitorToken.objects.filter(
            digest=digest_of(text),
            kind=kind,
            visitor__site=site,
            visitor__user__is_active=True,
            expires_at__gt=timezone.now(),
        )
        .select_related("visitor")
        .first()
    )


def by_digest(digest: str) -> VisitorToken | None:
    """Return the token with this digest, even if it has expired; None if it doesn't exist."""
    return VisitorToken.objects.filter(digest=digest).first()


def renew(token: VisitorToken) -> TokenPair:
    """Issue the next tokens for the holder of a cookie, and end older cookies."""
    before = VisitorToken.objects.filter(device=token.device, kind=Kind.COOKIE, pk__lt=token.pk)
    before.delete()
    return issue(token.visitor, token)


def end(device: uuid.UUID) -> None:
    """End all tokens of this browser."""
    VisitorToken.objects.filter(device=device).delete()


def still_valid(digests: Collection[str]) -> set[str]:
    """Return those of `digests` whose bearer tokens are valid."""
    tokens = VisitorToken.objects.filter(
        digest__in=digests,
        kind=Kind.BEARER,
        expires_at__gt=timezone.now(),
        visitor__user__is_active=True,
        visitor__site__is_suspended=False,
    )
    return set(tokens.values_list("digest", flat=True))


def remove_expired() -> int:
    return delete_all(VisitorToken.objects.filter(expires_at__lte=timezone.now()))


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _make_room(visitor: Visitor, kind: VisitorToken.Kind, spared: VisitorToken | None) -> None:
    """Make room for one more token besides `spared`."""
    others = VisitorToken.objects.filter(visitor=visitor, kind=kind)
    if spared:
        others = others.exclude(pk=spared.pk)
    oldest = others.order_by("-pk").values_list("pk", flat=True)[MAX_PER_KIND - 2 :]
    VisitorToken.objects.filter(pk__in=list(oldest)).delete()


def _make(visitor: Visitor, kind: VisitorToken.Kind, device: uuid.UUID) -> str:
    text = PREFIXES[kind] + secrets.token_urlsafe(32)
    VisitorToken.objects.create(
        digest=digest_of(text),
        visitor=visitor,
        kind=kind,
        device=device,
        expires_at=timezone.now() + LIFETIMES[kind],
    )
    return text
