"""Second factors are encrypted in the database, and survive a change of SECRET_KEY."""

import json
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.second_factor import encryption
from tests.accounts.second_factor import activate, code_for, member_with_address, second_step

NEW_KEY = "n" * 50


@pytest.fixture
def secret(alice: User) -> str:
    """Set up alice's authenticator app and return its secret."""
    return activate(member_with_address(alice))


def stored() -> str:
    return json.dumps(list(Authenticator.objects.values_list("data", flat=True)))


def recovery_codes() -> list[str]:
    codes: list[str] = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    return codes


def change_key(settings: Settings, *, keep: bool) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if keep else []
    settings.SECRET_KEY = NEW_KEY


def test_the_database_contains_no_plain_secret(secret: str) -> None:
    assert len(recovery_codes()) == 10
    assert secret not in stored()
    assert not any(code in stored() for code in recovery_codes())
    for data in Authenticator.objects.values_list("data", flat=True):
        assert encryption.decrypt(data.get("secret") or data["seed"]) not in stored()


def test_encrypting_the_same_text_twice_gives_different_values() -> None:
    one, other = encryption.encrypt("JBSWY3DP"), encryption.encrypt("JBSWY3DP")
    assert one != other
    assert encryption.decrypt(one) == encryption.decrypt(other) == "JBSWY3DP"


def test_an_altered_value_is_not_decrypted() -> None:
    token = encryption.encrypt("JBSWY3DP")
    for other in (token[:-5] + "AAAA=", "JBSWY3DP", ""):
        with pytest.raises(encryption.Unreadable):
            encryption.decrypt(other)


def test_recovery_codes_from_another_system_are_encrypted_too(
    alice: User, settings: Settings
) -> None:
    codes = ["12345678", "87654321"]
    data = {"migrated_codes": [encryption.encrypt(code) for code in codes]}
    Authenticator.objects.create(user=alice, type="recovery_codes", data=data)
    before = stored()
    change_key(settings, keep=True)
    call_command("reencrypt_second_factors", stdout=StringIO())
    settings.SECRET_KEY_FALLBACKS = []
    assert stored() != before
    assert recovery_codes() == codes


def test_values_under_an_older_key_stay_readable(
    alice: User, secret: str, settings: Settings
) -> None:
    change_key(settings, keep=True)
    assert second_step(alice, code_for(secret)).status_code == 302


def test_after_the_command_the_older_key_is_no_longer_needed(
    alice: User, secret: str, settings: Settings
) -> None:
    codes = recovery_codes()
    change_key(settings, keep=True)
    said = StringIO()
    call_command("reencrypt_second_factors", stdout=said)
    assert "2 second factors" in said.getvalue()
    before = stored()
    call_command("reencrypt_second_factors", stdout=StringIO())
    assert stored() == before
    settings.SECRET_KEY_FALLBACKS = []
    assert recovery_codes() == codes
    assert second_step(alice, code_for(secret)).status_code == 302


def test_a_used_recovery_code_stays_used(alice: User, secret: str, settings: Settings) -> None:
    first, *rest = recovery_codes()
    assert second_step(alice, first).status_code == 302
    change_key(settings, keep=True)
    call_command("reencrypt_second_factors", stdout=StringIO())
    assert recovery_codes() == rest
    assert second_step(alice, first).status_code == 200


def test_without_the_key_the_command_and_the_page_report_it(
    alice: User, secret: str, settings: Settings
) -> None:
    change_key(settings, keep=False)
    with pytest.raises(CommandError, match="2 second factors can't be decrypted"):
        call_command("reencrypt_second_factors", stdout=StringIO())
    page = second_step(alice, code_for(secret), headers={"Accept": "text/html"})
    assert page.status_code == 503
    assert "secret key has changed" in page.content.decode()
