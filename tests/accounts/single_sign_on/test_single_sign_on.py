"""Signing in with the identity provider: accounts and sessions."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.closure import close_account
from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from tests.accounts.single_sign_on.conftest import SignIn, is_signed_in
from tests.support.servers.identity_provider import IdentityProvider

pytestmark = pytest.mark.django_db


def test_the_first_sign_in_creates_a_confirmed_account(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    response = sign_in()
    assert (response.status_code, response["Location"]) == (302, "/chat/")
    user = User.objects.get()
    assert (user.email, user.name, user.has_usable_password()) == (
        "alice@example.org", "Alice", False,
    )  # fmt: skip
    assert EmailAddress.objects.get(user=user).verified
    assert is_signed_in(client)


def test_the_second_sign_in_finds_the_account_by_its_subject(
    provider: IdentityProvider, sign_in: SignIn
) -> None:
    sign_in()
    provider.become("alice", email="married@example.org")
    sign_in(Client())
    assert [user.email for user in User.objects.all()] == ["alice@example.org"]
    assert UserSession.objects.filter(user=User.objects.get()).count() == 2


def test_the_device_is_listed_and_a_new_one_is_mailed(
    provider: IdentityProvider, sign_in: SignIn
) -> None:
    sign_in()
    assert mail.outbox == []
    sign_in(Client())
    assert [each.subject for each in mail.outbox] == ["[Runnel] New sign-in to your account"]


def test_the_page_that_was_asked_for_opens_after_the_sign_in(
    provider: IdentityProvider, sign_in: SignIn
) -> None:
    assert sign_in(next="/settings/")["Location"] == "/settings/"
    assert sign_in(Client(), next="https://evil.example/")["Location"] == "/chat/"


def test_only_the_subject_is_stored(provider: IdentityProvider, sign_in: SignIn) -> None:
    sign_in()
    stored = SocialAccount.objects.get()
    assert (stored.provider, stored.uid, stored.extra_data) == (provider.issuer, "alice", {})
    assert not SocialToken.objects.exists()


def test_at_another_issuer_the_same_subject_is_somebody_else(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    user = User.objects.create_user("before@example.org")
    SocialAccount.objects.create(user=user, provider="https://old.example", uid="alice")
    sign_in()
    assert User.objects.get(email="alice@example.org") != user


def test_a_session_ends_after_the_time_of_the_setting(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings
) -> None:
    settings.SSO_SESSION_HOURS = 8
    sign_in()
    left = UserSession.objects.get(user__email="alice@example.org").expire_date - timezone.now()
    assert 7.9 * 3600 < left.total_seconds() <= 8 * 3600


def test_a_suspended_member_stays_out(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    sign_in()
    User.objects.update(is_active=False, suspended_at=timezone.now())
    response = sign_in(Client())
    assert response.status_code == 403
    assert b"Your account is suspended" in response.content


def test_somebody_whose_account_was_deleted_gets_a_new_one(
    provider: IdentityProvider, sign_in: SignIn
) -> None:
    sign_in()
    before = User.objects.get()
    close_account(before)
    sign_in(Client())
    assert User.objects.get(email="alice@example.org") != before


def test_a_members_second_factor_is_asked_for(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    sign_in()
    Authenticator.objects.create(
        user=User.objects.get(), type=Authenticator.Type.TOTP, data={"secret": "x"}
    )
    browser = Client()
    assert sign_in(browser)["Location"] == "/accounts/2fa/authenticate/"
    assert not is_signed_in(browser)


def test_signing_out_ends_the_session(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    sign_in()
    client.post("/accounts/logout/")
    assert not is_signed_in(client)
