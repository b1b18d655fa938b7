"""Start or resume a visitor's session on a site."""

import base64
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from chat.widget_sites import visitor_tokens as tokens
from chat.widget_sites import visitors
from chat.widget_sites.models import Visitor, VisitorToken, WidgetSite
from chat.widget_sites.visitor_tokens import Kind, TokenPair

#: Requests with the previous token may still be on their way.
GRACE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Session:
    visitor: Visitor
    tokens: TokenPair

    @property
    def draft_key(self) -> str:
        """The key with which the frame encrypts what it keeps on the website's page.

        Browsers that block third-party cookies may deny the frame all storage. The frame then
        hands its unsent texts, encrypted, to the website's page. The key depends on the visitor,
        whom only the frame's cookie proves, so the website can't read them.
        """
        mac = salted_hmac("chat.widget_sites.drafts", self.visitor.pk.bytes, algorithm="sha256")
        return base64.b64encode(mac.digest()).decode()


@transaction.atomic
def resume(site: WidgetSite, cookie: str, bearer: str) -> Session | None:
    """Resume the session of the cookie or, in browsers without cookies, of the bearer token."""
    if token := tokens.find(site, Kind.COOKIE, cookie):
        issued = tokens.renew(token)
    elif token := tokens.find(site, Kind.BEARER, bearer):
        issued = tokens.issue(token.visitor, token)
        _end_soon(token)
    else:
        return None
    visitors.record_seen(token.visitor)
    return Session(token.visitor, issued)


@transaction.atomic
def create(site: WidgetSite) -> Session:
    visitor = visitors.make(site)
    return Session(visitor, tokens.issue(visitor))


def end(token_digest: str) -> None:
    """End the session of this browser that the token belongs to."""
    if token := tokens.by_digest(token_digest):
        tokens.end(token.device)


def _end_soon(token: VisitorToken) -> None:
    soon = min(token.expires_at, timezone.now() + GRACE)
    VisitorToken.objects.filter(pk=token.pk).update(expires_at=soon)
