"""Re-encrypt stored second factors under the current key."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.models import Authenticator
from django.db import transaction

from chat.accounts.second_factor import encryption


def reencrypt_all() -> tuple[int, int]:
    """Return how many second factors were re-encrypted, and how many could not be read."""
    changed = unreadable = 0
    for pk in Authenticator.objects.order_by("pk").values_list("pk", flat=True):
        try:
            changed += _reencrypt(pk)
        except encryption.Unreadable:
            unreadable += 1
    return changed, unreadable


def count_unreadable() -> int:
    """Return how many second factors no known key decrypts."""
    stored = Authenticator.objects.values_list("data", flat=True)
    return sum(not _is_readable(data) for data in stored.iterator(1000))


def _is_readable(data: dict[str, Any]) -> bool:
    try:
        _with_secrets(data, encryption.decrypt)
    except encryption.Unreadable:
        return False
    return True


@transaction.atomic
def _reencrypt(pk: int) -> bool:
    """Re-encrypt one second factor; return whether it changed.

    The row is locked, so that a recovery code used meanwhile stays used.
    """
    stored = Authenticator.objects.select_for_update().filter(pk=pk).first()
    if stored is None:
        return False
    renewed = _with_secrets(stored.data, _renewed)
    if renewed == stored.data:
        return False
    stored.data = renewed
    stored.save(update_fields=["data"])
    return True


def _with_secrets(data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """Return an authenticator's `data` with each of its secrets changed."""
    changed: dict[str, Any] = {n: change(data[n]) for n in ("secret", "seed") if n in data}
    if "migrated_codes" in data:
        changed["migrated_codes"] = [change(each) for each in data["migrated_codes"]]
    return data | changed


def _renewed(token: str) -> str:
    if encryption.is_current(token):
        return token
    return encryption.encrypt(encryption.decrypt(token))
