"""Create, find and revoke API keys."""

import hashlib
import re
import secrets
import string
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.api_keys.errors import (
    AccountSuspended,
    ApiDisabled,
    InvalidApiKey,
    TooManyKeys,
    WrongKeyKind,
)
from chat.api_keys.models import ApiKey, ApiKeyQuerySet
from chat.errors import NotFound

MAX_KEYS = 50  # per member

#: A key has a prefix that secret scanners know, random characters and a checksum, which tells a key
#: from other text without a look into the database, as GitHub's does.
PREFIX = "rnl_"
ALPHABET = string.digits + string.ascii_letters
RANDOM_CHARS = 36  # 214 bits
CHECKSUM_CHARS = 6
SHOWN_CHARS = len(PREFIX) + 6
WELL_FORMED = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{RANDOM_CHARS + CHECKSUM_CHARS}}}")


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """What a member chooses for a key; an empty list of models allows all that they may use."""

    name: str
    expires_at: datetime | None = None
    monthly_usd: Decimal | None = None
    allowed_models: Collection[str] = ()
    keeps_chats: bool = False


def may_have_keys(user: User) -> bool:
    """Return whether the site lets this member use the API."""
    return settings.API_KEYS == "members" or (settings.API_KEYS == "staff" and user.is_staff)


@dataclass(frozen=True, slots=True)
class ServiceKeyOptions:
    """What an administrator chooses for a service key; without groups and sites, all of them."""

    name: str
    scopes: Collection[str]
    expires_at: datetime | None = None
    group_ids: Collection[int] = ()
    site_ids: Collection[int] = ()


@transaction.atomic
def create(user: User, options: KeyOptions) -> tuple[ApiKey, str]:
    """Return a new key and its text, which is not stored. Raise `TooManyKeys`."""
    if not may_have_keys(user):
        raise ApiDisabled
    User.objects.select_for_update().get(pk=user.pk)
    if keys_of(user.pk).count() >= MAX_KEYS:
        raise TooManyKeys
    return _stored(
        owner=user,
        name=options.name,
        allowed_models=sorted(options.allowed_models),
        monthly_usd=options.monthly_usd,
        keeps_chats=options.keeps_chats,
        expires_at=options.expires_at,
    )


@transaction.atomic
def create_service_key(user: User, options: ServiceKeyOptions) -> tuple[ApiKey, str]:
    """Return a new service key and its text, which is not stored. Raise `TooManyKeys`.

    The caller checks whether `user` may create one (`chat.review.service_keys`).
    """
    User.objects.select_for_update().get(pk=user.pk)
    if service_keys().filter(owner=user).count() >= MAX_KEYS:
        raise TooManyKeys
    return _stored(
        owner=user,
        name=options.name,
        expires_at=options.expires_at,
        scopes=" ".join(sorted(options.scopes)),
        group_ids=_joined(options.group_ids),
        site_ids=_joined(options.site_ids),
    )


def keys_of(user_id: int) -> ApiKeyQuerySet:
    """Return the member's own keys that are not revoked, newest first; expired ones included."""
    return ApiKey.objects.filter(owner=user_id, revoked_at=None, scopes="")


def service_keys() -> ApiKeyQuerySet:
    """Return the service keys that are not revoked, newest first; expired ones included."""
    return ApiKey.objects.filter(revoked_at=None).exclude(scopes="")


def revoke(user_id: int, key_id: int) -> None:
    """Revoke a key of this member. Raise `NotFound` if they have no such key."""
    if not keys_of(user_id).filter(pk=key_id).update(revoked_at=timezone.now()):
        raise NotFound


def find(text: str) -> ApiKey:
    """Return the member's key with this text, with its owner.

    Raise `InvalidApiKey` if it does not exist (any more), `AccountSuspended` or `ApiDisabled` if
    its owner may not use it, `WrongKeyKind` if it is a service key.
    """
    key = _find(text)
    if key.is_service_key:
        raise WrongKeyKind
    if not may_have_keys(key.owner):
        raise ApiDisabled
    return key


def find_service_key(text: str) -> ApiKey:
    """Return the service key with this text, with its owner. Raise errors as `find` does."""
    key = _find(text)
    if not key.is_service_key:
        raise WrongKeyKind("This is no service key. An administrator can create one.")
    return key


def _find(text: str) -> ApiKey:
    if not is_well_formed(text):
        raise InvalidApiKey
    digest = digest_of(text)
    key = ApiKey.objects.filter(digest=digest, revoked_at=None).select_related("owner").first()
    if key is None or key.owner.closed_at:
        raise InvalidApiKey
    if key.is_expired:
        raise InvalidApiKey("This API key has expired. Create one in the site's settings.")
    if not key.owner.is_active:
        raise AccountSuspended
    return key


def _stored(**columns: Any) -> tuple[ApiKey, str]:
    text = new_key()
    key = ApiKey.objects.create(prefix=text[:SHOWN_CHARS], digest=digest_of(text), **columns)
    return key, text


def _joined(ids: Collection[int]) -> str:
    return " ".join(map(str, sorted(ids)))


def still_valid(key_ids: Collection[int]) -> set[int]:
    """Return those of `key_ids` that can still be used, for streams that are open."""
    present = ApiKey.objects.present().filter(pk__in=key_ids, owner__is_active=True)
    keys = present.select_related("owner")
    return {key.pk for key in keys if may_have_keys(key.owner)}


def new_key() -> str:
    chosen = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARS))
    return f"{PREFIX}{chosen}{_checksum(chosen)}"


def is_well_formed(text: str) -> bool:
    """Return whether `text` has the form of a key, checksum included."""
    if not WELL_FORMED.fullmatch(text):
        return False
    chosen = text[len(PREFIX) : -CHECKSUM_CHARS]
    return text.endswith(_checksum(chosen))


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _checksum(chosen: str) -> str:
    number = zlib.crc32(chosen.encode())
    digits = []
    for _ in range(CHECKSUM_CHARS):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)
