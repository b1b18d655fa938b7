"""API keys: their form, and when they are valid."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import closure, suspension
from chat.accounts.models import User
from chat.api_keys import keys, last_used
from chat.api_keys.errors import AccountSuspended, ApiDisabled, InvalidApiKey, TooManyKeys
from chat.api_keys.keys import KeyOptions
from chat.api_keys.models import ApiKey
from chat.errors import NotFound

pytestmark = pytest.mark.django_db


def made(user: User, **options: object) -> tuple[ApiKey, str]:
    return keys.create(user, KeyOptions("Editor", **options))  # type: ignore[arg-type]


def test_a_key_has_a_prefix_for_secret_scanners_and_a_checksum() -> None:
    text = keys.new_key()
    assert re.fullmatch(r"rnl_[0-9A-Za-z]{42}", text)
    assert keys.is_well_formed(text)
    other = "a" if text[10] != "a" else "b"
    assert not keys.is_well_formed(text[:10] + other + text[11:])
    assert not keys.is_well_formed("DUMMY_KEY")


def test_only_a_digest_is_stored(alice: User) -> None:
    key, text = made(alice)
    assert text not in str(ApiKey.objects.values().get())
    assert (key.digest, len(key.digest)) == (keys.digest_of(text), 64)
    assert text.startswith(key.prefix)
    assert keys.find(text) == key


def test_an_unknown_key_is_invalid(alice: User) -> None:
    made(alice)
    for text in ("", "DUMMY_KEY", "sk-123", keys.new_key()):
        with pytest.raises(InvalidApiKey):
            keys.find(text)


def test_a_revoked_key_is_invalid_but_kept(alice: User) -> None:
    key, text = made(alice)
    keys.revoke(alice.pk, key.pk)
    with pytest.raises(InvalidApiKey):
        keys.find(text)
    assert list(keys.keys_of(alice.pk)) == []
    assert keys.still_valid({key.pk}) == set()
    assert ApiKey.objects.get().revoked_at


def test_nobody_can_revoke_anothers_key(alice: User, bob: User) -> None:
    key, text = made(alice)
    with pytest.raises(NotFound):
        keys.revoke(bob.pk, key.pk)
    assert keys.find(text) == key


def test_an_expired_key_is_invalid_and_says_so(alice: User) -> None:
    key, text = made(alice, expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InvalidApiKey) as caught:
        keys.find(text)
    assert "expired" in caught.value.public
    assert keys.still_valid({key.pk}) == set()


def test_the_keys_of_a_suspended_account_are_refused_until_it_is_reinstated(alice: User) -> None:
    key, text = made(alice)
    suspension.suspend(alice, None)
    with pytest.raises(AccountSuspended):
        keys.find(text)
    assert keys.still_valid({key.pk}) == set()
    suspension.restore(alice)
    assert keys.find(text) == key


def test_the_keys_of_a_deleted_account_are_invalid(alice: User) -> None:
    key, text = made(alice)
    closure.close_account(alice)
    with pytest.raises(InvalidApiKey):
        keys.find(text)
    assert keys.still_valid({key.pk}) == set()


@pytest.mark.parametrize(("who", "works"), [("members", True), ("staff", False), ("nobody", False)])
def test_the_site_decides_who_may_have_keys(
    who: str, works: bool, alice: User, settings: Settings
) -> None:
    key, text = made(alice)
    settings.API_KEYS = who
    assert keys.still_valid({key.pk}) == ({key.pk} if works else set())
    if works:
        assert keys.find(text) == key
        return
    with pytest.raises(ApiDisabled):
        keys.find(text)
    with pytest.raises(ApiDisabled):
        made(alice)


def test_a_member_has_a_limited_number_of_keys(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "MAX_KEYS", 2)
    first, _text = made(alice)
    made(alice)
    with pytest.raises(TooManyKeys):
        made(alice)
    keys.revoke(alice.pk, first.pk)
    made(alice)


def test_the_last_use_is_stored_later(alice: User) -> None:
    key, _text = made(alice)
    last_used.record_use(key.pk)
    assert ApiKey.objects.get().last_used_at is None
    assert last_used.of(key)
    last_used.store()
    assert ApiKey.objects.get().last_used_at
    assert last_used.of(ApiKey.objects.get())
