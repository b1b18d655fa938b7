"""Responses do not reveal who has an account."""

import re
from html import unescape
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import hashers
from django.core import mail
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse 9"
NEW = {"password1": PASSWORD, "password2": PASSWORD}
#: Addresses of accounts: as given, in another case, awaiting approval, suspended, and a second one.
MEMBERS = (
    "alice@example.org", "ALICE@Example.org", "wanda@example.org", "bobs.other@example.org",
)  # fmt: skip
#: Headers of one response, or of a moment.
OWN = {
    "x-request-id", "content-security-policy", "content-length", "date", "expires", "retry-after",
}  # fmt: skip


class Counted(hashers.MD5PasswordHasher):
    """Count password hashes, whose time could be measured: each takes a tenth of a second."""

    hashes = 0

    def encode(self, password: str, salt: str) -> str:
        type(self).hashes += 1
        return super().encode(password, salt)


@pytest.fixture(autouse=True)
def members(db: None, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.Counted"]
    User.objects.create_user("alice@example.org", PASSWORD)
    User.objects.create_user("wanda@example.org", PASSWORD, is_active=False)
    bob = User.objects.create_user("bob@example.org", PASSWORD)
    EmailAddress.objects.create(user=bob, email="bobs.other@example.org", verified=True)


def asked(path: str, email: str, **sent: str) -> dict[str, Any]:
    """Return all that a response reveals, without the address that was sent."""
    client = Client()
    client.get(path)
    Counted.hashes, mail.outbox[:] = 0, []
    response = client.post(path, {"email": email, "login": email, **sent}, follow=True)
    body = re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", response.content.decode())
    return {
        "body": re.sub(re.escape(email), "EMAIL", body, flags=re.IGNORECASE),
        "status": response.status_code,
        "redirects": response.redirect_chain,
        "headers": {k: v for k, v in response.items() if k.lower() not in OWN},
        "cookies": sorted(client.cookies),
        "hashes": Counted.hashes,
        "stored in the session": sorted(client.session.keys()),
    }


@pytest.mark.parametrize("email", MEMBERS)
@pytest.mark.parametrize(
    ("sign_up", "confirmation"),
    [
        ("open", "mandatory"),
        ("approval", "mandatory"),
        ("approval", "optional"),
        ("approval", "none"),
    ],
)
def test_signing_up_does_not_reveal_an_account(
    sign_up: str, confirmation: str, email: str, settings: Settings
) -> None:
    settings.SIGN_UP, settings.ACCOUNT_EMAIL_VERIFICATION = sign_up, confirmation
    before = set(User.objects.values_list("pk", flat=True))
    known = asked("/accounts/signup/", email, **NEW)
    assert [each.to for each in mail.outbox] == [[email.lower()]]
    assert "already exists" in mail.outbox[0].body.replace("\n", " ")
    assert set(User.objects.values_list("pk", flat=True)) == before
    assert known == asked("/accounts/signup/", "nobody@example.org", **NEW)
    assert known["status"] == (403 if sign_up == "approval" else 200)
    assert User.objects.filter(email="nobody@example.org").exists()


def test_a_refused_password_does_not_reveal_an_account(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    weak = {"password1": "123", "password2": "123"}
    known = asked("/accounts/signup/", MEMBERS[0], **weak)
    assert known == asked("/accounts/signup/", "nobody@example.org", **weak)


@pytest.mark.parametrize("email", MEMBERS)
def test_a_password_reset_does_not_reveal_an_account(email: str) -> None:
    known = asked("/accounts/password/reset/", email)
    assert len(mail.outbox) == 1
    assert known == asked("/accounts/password/reset/", "nobody@example.org")
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("email", MEMBERS)
def test_a_wrong_password_does_not_reveal_an_account(email: str) -> None:
    known = asked("/accounts/login/", email, password="wrong")
    assert known == asked("/accounts/login/", "nobody@example.org", password="wrong")
    assert known["hashes"]


def test_rate_limits_do_not_reveal_an_account(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/5m/key", "reset_password": "2/5m/key"}
    for _ in range(2):
        for email in ("alice@example.org", "nobody@example.org"):
            asked("/accounts/login/", email, password="wrong")
            asked("/accounts/password/reset/", email)
    for path in ("/accounts/login/", "/accounts/password/reset/"):
        known = asked(path, "alice@example.org", password="wrong")
        assert "Too many attempts" in known["body"]
        assert known == asked(path, "nobody@example.org", password="wrong")


@pytest.mark.parametrize("confirmation", ["mandatory", "optional"])
def test_adding_an_address_does_not_reveal_an_account(
    confirmation: str, settings: Settings
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = confirmation
    told = []
    for number, email in enumerate(("alice@example.org", "nobody@example.org")):
        mallory = User.objects.create_user(f"mallory{number}@example.org", PASSWORD)
        client = signed_in(mallory)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        pages = [
            client.post("/accounts/email/", {"email": email, action: ""}, follow=True)
            for action in ("action_add", "action_primary")
        ]
        seen = "".join(page.content.decode() for page in pages)
        seen = re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", seen)
        told.append(re.sub(rf"{email}|{mallory.email}", "AN ADDRESS", seen))
        assert {page.status_code for page in pages} == {200}
        mallory.refresh_from_db()
        assert mallory.email == f"mallory{number}@example.org"
    assert told[0] == told[1]
    assert "Confirm this address first" in told[0]


def test_making_another_accounts_address_primary_is_refused() -> None:
    bob = User.objects.get(email="bob@example.org")
    EmailAddress.objects.create(user=bob, email="alice@example.org", verified=True)
    client = signed_in(bob)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    sent = {"email": "alice@example.org", "action_primary": ""}
    page = client.post("/accounts/email/", sent, follow=True)
    assert "another account's primary address" in unescape(page.content.decode())
