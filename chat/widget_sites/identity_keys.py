"""Manage the keys with which websites identify users; several may be valid during a rotation."""

import secrets

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.widget_sites.models import IdentityKey, WidgetSite

MAX_KEYS = 10
SECRET_BYTES = 32


def keys_of(site: WidgetSite) -> QuerySet[IdentityKey]:
    """Return the valid keys, newest first."""
    return site.identity_keys.filter(revoked_at=None).order_by("-created_at")


def make_secret(site: WidgetSite) -> tuple[IdentityKey, str]:
    """Create a key and return it with its secret, which cannot be shown again."""
    _require_room(site)
    secret = secrets.token_urlsafe(SECRET_BYTES)
    key = site.identity_keys.create(algorithm=IdentityKey.Algorithm.HS256, verifier=secret)
    return key, secret


def add_public(site: WidgetSite, pem: str) -> IdentityKey:
    """Add the public half of a key pair whose private half stays with the website."""
    _require_room(site)
    verifier = read_public(pem)
    return site.identity_keys.create(algorithm=IdentityKey.Algorithm.EDDSA, verifier=verifier)


def revoke(key: IdentityKey) -> None:
    """Revoke the key; its signatures are no longer accepted."""
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])


def has_private_part(pem: str) -> bool:
    return "PRIVATE" in pem.upper()


def read_public(pem: str) -> str:
    """Return an Ed25519 public key in canonical PEM. Raise `BadRequest` with the problem."""
    if has_private_part(pem):
        raise BadRequest(
            _(
                "This is a private key. It must stay on your server. Create a new key "
                "pair and paste the public key."
            )
        )
    try:
        key = load_pem_public_key(pem.strip().encode())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise BadRequest(
            _("This isn't an Ed25519 public key. It should start with {begin}.").format(
                begin="-----BEGIN PUBLIC KEY-----"
            )
        )
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def _require_room(site: WidgetSite) -> None:
    if keys_of(site).count() >= MAX_KEYS:
        words = _("This website has reached the limit of {most} keys. Revoke one first.")
        raise BadRequest(words.format(most=MAX_KEYS))
