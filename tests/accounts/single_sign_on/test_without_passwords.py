"""Accounts without a password, and sites without password sign-in."""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.web.account.views import deletion
from tests.accounts.single_sign_on.conftest import Begin, SignIn, is_signed_in, make_member
from tests.support.servers.identity_provider import CLIENT_SECRET, IdentityProvider

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path",
    [
        "signup/", "password/reset/", "password/reset/key/1-x/", "2fa/webauthn/login/",
        "invitation/", "invitation/x/",
    ],
)  # fmt: skip
def test_without_password_sign_in_its_pages_do_not_exist(
    provider: IdentityProvider, client: Client, settings: Settings, path: str
) -> None:
    settings.PASSWORD_SIGN_IN = False
    assert client.get(f"/accounts/{path}").status_code == 404
    assert client.post(f"/accounts/{path}").status_code == 404


def test_without_password_sign_in_only_the_button_is_shown(
    provider: IdentityProvider, client: Client, settings: Settings
) -> None:
    settings.PASSWORD_SIGN_IN = False
    make_member(verified=True)
    page = client.get("/accounts/login/").content.decode()
    assert "Sign in with Example ID" in page
    assert 'type="password"' not in page
    sent = {"login": "alice@example.org", "password": "correct horse"}
    assert client.post("/accounts/login/", sent).status_code == 404
    assert not is_signed_in(client)


@pytest.mark.parametrize("has_passwords", [True, False])
def test_mails_name_the_password_only_where_there_are_any(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings, has_passwords: bool
) -> None:
    settings.PASSWORD_SIGN_IN = has_passwords
    sign_in()
    sign_in(Client())
    assert ("/accounts/password/reset/" in mail.outbox[0].body) is has_passwords
    assert "/settings/devices/" in mail.outbox[0].body


def test_without_a_provider_there_is_no_button_and_no_page(client: Client) -> None:
    assert b"/accounts/sso/" not in client.get("/accounts/login/").content
    assert client.post("/accounts/sso/").status_code == 404
    assert client.get("/accounts/sso/callback/").status_code == 404


def test_no_page_contains_the_secret(
    provider: IdentityProvider, begin: Begin, client: Client
) -> None:
    page = client.post("/accounts/sso/")
    assert CLIENT_SECRET.encode() not in page.content
    assert page.status_code == 200
    assert "form-action 'self'" in page["Content-Security-Policy"].split("; ")


def test_an_account_without_a_password_is_deleted_soon_after_signing_in(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    sign_in()
    assert b'type="password"' not in client.get("/settings/delete-account/").content
    assert client.post("/settings/delete-account/")["Location"] == "/accounts/login/"
    assert User.objects.get().closed_at
    assert not SocialAccount.objects.exists()


def test_later_it_has_to_sign_in_again_first(
    provider: IdentityProvider, sign_in: SignIn, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in()
    monkeypatch.setattr(deletion, "RECENT_SECONDS", -1)
    assert b"sign out and sign in again" in client.get("/settings/delete-account/").content
    client.post("/settings/delete-account/")
    assert User.objects.get().closed_at is None
