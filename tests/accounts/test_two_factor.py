"""A second factor is asked for at sign-in, and deleted with the account."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client

from chat.accounts import closure
from chat.accounts.models import User
from tests.accounts.second_factor import activate, code_for, member_with_address


@pytest.fixture
def hers(alice: User) -> Client:
    return member_with_address(alice)


def test_sign_in_asks_for_the_code(hers: Client, alice: User) -> None:
    secret = activate(hers)
    other = Client()
    sent = {"login": alice.email, "password": "correct horse"}
    response = other.post("/accounts/login/", sent)
    assert response["Location"] == "/accounts/2fa/authenticate/"
    assert other.get("/chat/").status_code == 302
    wrong = other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert wrong.status_code == 200
    assert other.get("/chat/").status_code == 302
    cache.clear()  # a code counts once
    assert other.post("/accounts/2fa/authenticate/", {"code": code_for(secret)}).status_code == 302
    assert other.get("/chat/").status_code == 200


def test_the_second_factor_is_deleted_with_the_account(hers: Client, alice: User) -> None:
    activate(hers)
    assert Authenticator.objects.filter(user=alice).exists()
    closure.close_account(alice)
    assert not Authenticator.objects.exists()
