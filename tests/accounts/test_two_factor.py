"""A second factor: set up, asked for at sign-in, and gone with the account."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.cache import cache
from django.test import Client

from chat.accounts import leaving
from chat.accounts.models import User


@pytest.fixture
def hers(alice: User) -> Client:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client = Client()
    client.post("/accounts/login/", {"login": alice.email, "password": "correct horse"})
    return client


def code_for(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time()))))


def activate(client: Client) -> str:
    client.post("/accounts/reauthenticate/", {"password": "correct horse"})
    page = client.get("/accounts/2fa/totp/activate/")
    assert page.status_code == 200, page.headers
    secret: str = page.context["form"].secret
    assert secret in page.content.decode()
    done = client.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    assert done.status_code == 302, done.content.decode()
    return secret


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


def test_it_goes_with_the_account(hers: Client, alice: User) -> None:
    activate(hers)
    assert Authenticator.objects.filter(user=alice).exists()
    leaving.close(alice)
    assert not Authenticator.objects.exists()
