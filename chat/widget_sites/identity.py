"""Verify a website's signed statement (JWT) of who its user is; valid once and briefly.

The algorithm comes from the key that the token names, never from the token, so unsigned tokens and
tokens signed with a public key as the secret are refused. Required claims make a stolen token
useless: the site, the time of issue, an expiry at most ten minutes later, and a unique ID.
"""

import hashlib
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
from django.db import IntegrityError, transaction
from django.utils import timezone
from jwt import exceptions

from chat.database.housekeeping import delete_all
from chat.lib.text import clean, one_line
from chat.widget_sites.errors import InvalidIdentityToken
from chat.widget_sites.models import IdentityKey, UsedIdentity, WidgetSite

CLAIMS = ["aud", "sub", "iat", "exp", "jti"]
MAX_LIFETIME_SECONDS = 600
LEEWAY_SECONDS = 30  # allowed clock difference
MAX_TOKEN_CHARS = 4096  # characters
MAX_SUBJECT_CHARS = 255
MAX_NAME_CHARS = 100
#: Problem codes for developers of the website's server.
REASONS: dict[type[Exception], str] = {
    jwt.ExpiredSignatureError: "expired",
    jwt.InvalidAudienceError: "audience",
    jwt.ImmatureSignatureError: "not_yet",
    jwt.MissingRequiredClaimError: "claims",
    exceptions.InvalidSubjectError: "claims",
    exceptions.InvalidJTIError: "claims",
    jwt.InvalidSignatureError: "signature",
}
#: Everything that decoding can raise, including for huge numbers and deep nesting.
UNREADABLE = (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class Identity:
    """A user of the website; `subject` is the website's stable ID for them."""

    subject: str
    name: str = ""


def read_identity(site: WidgetSite, token: str) -> Identity:
    """Return the identity in `token`. Raise `InvalidIdentityToken` if invalid or used before.

    Call inside a transaction, so that the token's use is stored with its effect.
    """
    claims = _claims(site, token)
    subject, name = claims["sub"], claims.get("name")
    if not 0 < len(subject) <= MAX_SUBJECT_CHARS or clean(subject) != subject or not claims["jti"]:
        raise InvalidIdentityToken(reason="claims")
    expires_at = _ends_at(claims)
    _use(site, claims["jti"], expires_at)
    return Identity(subject, one_line(name)[:MAX_NAME_CHARS] if isinstance(name, str) else "")


def remove_expired() -> int:
    """Delete used tokens that have expired, and return how many."""
    return delete_all(UsedIdentity.objects.filter(expires_at__lte=timezone.now()))


def _claims(site: WidgetSite, token: str) -> dict[str, Any]:
    if len(token) > MAX_TOKEN_CHARS:
        raise InvalidIdentityToken(reason="unreadable")
    try:
        key = _key_of(site, jwt.get_unverified_header(token).get("kid"))
        return jwt.decode(
            token,
            key.verifier,
            algorithms=[key.algorithm],
            audience=site.key,
            leeway=LEEWAY_SECONDS,
            options={"require": CLAIMS, "strict_aud": True},
        )
    except UNREADABLE as error:
        raise InvalidIdentityToken(reason=REASONS.get(type(error), "unreadable")) from None


def _key_of(site: WidgetSite, key_id: Any) -> IdentityKey:
    key = site.identity_keys.filter(pk=uuid.UUID(str(key_id)), revoked_at=None).first()
    if key is None:
        raise InvalidIdentityToken(reason="key")
    return key


def _ends_at(claims: dict[str, Any]) -> datetime:
    """Return when the token expires. Raise `InvalidIdentityToken` if that is too late."""
    issued, ends = int(claims["iat"]), int(claims["exp"])
    if not 0 < ends - issued <= MAX_LIFETIME_SECONDS:
        raise InvalidIdentityToken(reason="lifetime")
    return datetime.fromtimestamp(ends, UTC) + timedelta(seconds=2 * LEEWAY_SECONDS)


def _use(site: WidgetSite, jti: str, expires_at: datetime) -> None:
    digest = hashlib.sha256(jti.encode(errors="surrogatepass")).hexdigest()
    try:
        with transaction.atomic():
            UsedIdentity.objects.create(site=site, jti=digest, expires_at=expires_at)
    except IntegrityError:
        raise InvalidIdentityToken(reason="used") from None
