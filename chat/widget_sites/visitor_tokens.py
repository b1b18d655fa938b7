"""What proves who a visitor is: random, opaque, and worth nothing at another site.

A page holds a bearer in memory, for an hour at most. What outlives the page is a cookie, and all it
does is to give the next bearer, and the next cookie with it: once that one is used, those before it
end. So an answer that gets lost on its way costs nobody their chats. All that comes of one cookie
is one device, and ends with it.

Of each only a digest is stored. It is made of all of the text, which says what kind it is, so none
passes for the other.
"""

import hashlib
import secrets
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from chat.widget_sites.models import Visitor, VisitorToken, WidgetSite

Kind = VisitorToken.Kind
PREFIXES = {Kind.BEARER: "rv_", Kind.COOKIE: "rc_"}
LIFETIMES = {Kind.BEARER: timedelta(hours=1), Kind.COOKIE: timedelta(days=30)}
#: Of a kind, for one visitor. Each page takes a bearer; an answer that gets lost leaves a cookie.
MOST_OF_A_KIND = 10
LONGEST = 100  # characters; ours are shorter


@dataclass(frozen=True, slots=True)
class Pass:
    """What a page gets: a bearer, and the cookie that gives the next one."""

    bearer: str
    cookie: str


def issue(visitor: Visitor, presented: VisitorToken | None = None) -> Pass:
    """New ones for a browser, the one that was here before with `presented`.

    Of too many that the visitor has then, the oldest end, but never the one that was presented: the
    answer to it may get lost.
    """
    device = presented.device if presented else uuid.uuid4()
    for kind in Kind:
        _make_room(visitor, kind, presented)
    return Pass(_make(visitor, Kind.BEARER, device), _make(visitor, Kind.COOKIE, device))


def find(site: WidgetSite, kind: VisitorToken.Kind, text: str) -> VisitorToken | None:
    """The token `text`, if it is of this site and has not ended."""
    if len(text) > LONGEST or not text.startswith(PREFIXES[kind]):
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
    """One that was found before, if it is still there."""
    return VisitorToken.objects.filter(digest=digest).first()


def renew(token: VisitorToken) -> Pass:
    """The next ones for whoever holds the cookie `token`; cookies before it end."""
    before = VisitorToken.objects.filter(device=token.device, kind=Kind.COOKIE, pk__lt=token.pk)
    before.delete()
    return issue(token.visitor, token)


def end(device: uuid.UUID) -> None:
    """Nothing that this browser holds is worth anything from now on."""
    VisitorToken.objects.filter(device=device).delete()


def still_good(digests: Collection[str]) -> set[str]:
    """Those of `digests` whose bearers may still read."""
    found = VisitorToken.objects.filter(
        digest__in=digests,
        kind=Kind.BEARER,
        expires_at__gt=timezone.now(),
        visitor__user__is_active=True,
        visitor__site__is_suspended=False,
    )
    return set(found.values_list("digest", flat=True))


def remove_ended() -> int:
    count, _ = VisitorToken.objects.filter(expires_at__lte=timezone.now()).delete()
    return count


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _make_room(visitor: Visitor, kind: VisitorToken.Kind, spared: VisitorToken | None) -> None:
    """For one more beside `spared`."""
    others = VisitorToken.objects.filter(visitor=visitor, kind=kind)
    if spared:
        others = others.exclude(pk=spared.pk)
    oldest = others.order_by("-pk").values_list("pk", flat=True)[MOST_OF_A_KIND - 2 :]
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
