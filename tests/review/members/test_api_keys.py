"""Administrators see and revoke members' API keys, on record."""

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.errors import InvalidApiKey
from chat.api_keys.models import ApiKey
from tests.review.conftest import recorded_actions
from tests.support.api.api_client import api_client_of
from tests.support.review.member_pages import text_of


def test_an_administrator_sees_and_revokes_a_key(admin_browser: Client, alice: User) -> None:
    program = api_client_of(alice)
    path = f"/review/people/{alice.pk}/account/"
    shown = text_of(admin_browser, path)
    assert program.key.prefix in shown
    assert program.text not in shown
    admin_browser.post(f"/review/people/{alice.pk}/api-keys/{program.key.pk}/revocation/")
    with pytest.raises(InvalidApiKey):
        keys.find(program.text)
    (action,) = recorded_actions().filter(kind="api_key_revoked")
    assert (action.person, action.detail) == (alice.pk, program.key.prefix)
    assert program.key.prefix not in text_of(admin_browser, path)


def test_a_key_of_somebody_else_is_not_found(admin_browser: Client, alice: User, bob: User) -> None:
    program = api_client_of(bob)
    path = f"/review/people/{alice.pk}/api-keys/{program.key.pk}/revocation/"
    assert admin_browser.post(path).status_code == 404
    assert ApiKey.objects.get().revoked_at is None
