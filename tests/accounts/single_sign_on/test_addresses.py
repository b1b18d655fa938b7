"""Whose address opens which account, and whose none."""

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from tests.accounts.single_sign_on.conftest import SignIn, is_signed_in, make_member
from tests.support.servers.identity_provider import IdentityProvider

pytestmark = pytest.mark.django_db


def test_an_existing_account_is_not_linked_by_default(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    make_member(verified=True)
    response = sign_in()
    assert response.status_code == 403
    assert b"already an account with your email address" in response.content
    assert not is_signed_in(client)


@pytest.mark.django_db(transaction=True)
def test_an_existing_confirmed_account_is_linked_if_the_site_allows_it(
    provider: IdentityProvider, sign_in: SignIn, client: Client, settings: Settings
) -> None:
    settings.SSO_LINK_ACCOUNTS = True
    user = make_member(verified=True)
    sign_in()
    assert is_signed_in(client)
    assert SocialAccount.objects.get().user == user
    assert "was connected with Example ID" in mail.outbox[0].body
    assert mail.outbox[0].to == ["alice@example.org"]


def test_an_unconfirmed_account_is_never_linked(
    provider: IdentityProvider, sign_in: SignIn, client: Client, settings: Settings
) -> None:
    settings.SSO_LINK_ACCOUNTS = True
    make_member(verified=False)
    response = sign_in()
    assert response.status_code == 403
    assert b"confirmed. Sign in with your password and confirm it" in response.content
    assert not SocialAccount.objects.exists()


def test_an_account_that_staff_made_is_linked_before_its_first_sign_in(
    provider: IdentityProvider, sign_in: SignIn, client: Client, settings: Settings
) -> None:
    settings.SSO_LINK_ACCOUNTS = True
    user = User.objects.create_user("alice@example.org")
    sign_in()
    assert is_signed_in(client)
    assert EmailAddress.objects.get(user=user).verified


def test_somebody_elses_unconfirmed_second_address_blocks_nobody(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    mallory = User.objects.create_user("mallory@example.org", "correct horse")
    EmailAddress.objects.create(user=mallory, email="alice@example.org", verified=False)
    sign_in()
    assert is_signed_in(client)
    assert SocialAccount.objects.get().user != mallory


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"email_verified": False}, b"confirmed your email address"),
        ({"email_verified": "false"}, b"confirmed your email address"),
        ({"email": None}, b"send your email address"),
        ({"email": "alice@visitor.invalid"}, b"use the address alice@visitor.invalid"),
        ({"email": "alice@other.example"}, b"with the address alice@other.example"),
        ({"email": "alice@evil-example.org"}, b"with the address alice@evil-example.org"),
    ],
)
def test_an_address_that_does_not_qualify_is_refused(
    provider: IdentityProvider, sign_in: SignIn, client: Client, settings: Settings,
    claims: dict[str, object], words: bytes,
) -> None:  # fmt: skip
    settings.SSO_DOMAINS = ["example.org", "visitor.invalid"]
    provider.become("alice", **claims)
    response = sign_in()
    assert response.status_code == 403
    assert words in response.content
    assert not User.objects.exists()
    assert not is_signed_in(client)


def test_an_unconfirmed_address_does_not_open_its_owners_account(
    provider: IdentityProvider, sign_in: SignIn, client: Client, settings: Settings
) -> None:
    settings.SSO_LINK_ACCOUNTS = True
    make_member(verified=True)
    provider.become("mallory", email="alice@example.org", email_verified=False)
    assert sign_in().status_code == 403
    assert not is_signed_in(client)


@pytest.mark.parametrize("similar", ["al\u0131ce@example.org", "alice@example.org.\u017fite"])
def test_a_similar_address_does_not_open_somebody_elses_account(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings, similar: str
) -> None:
    """On PostgreSQL, both letters have the upper case of other ones."""
    settings.SSO_LINK_ACCOUNTS = True
    alice = make_member(verified=True)
    User.objects.create_user("alice@example.org.site")
    provider.become("mallory", email=similar)
    sign_in()
    assert SocialAccount.objects.get().user.email == similar
    assert SocialAccount.objects.get().user != alice


def test_a_member_whose_domain_is_no_longer_allowed_stays_out(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings
) -> None:
    sign_in()
    settings.SSO_DOMAINS = ["example.com"]
    assert sign_in(Client()).status_code == 403


def test_strangers_get_no_account_if_the_setting_says_so(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings
) -> None:
    settings.SSO_CREATE_ACCOUNTS = False
    response = sign_in()
    assert response.status_code == 403
    assert b"have an account on this site yet" in response.content
    assert not User.objects.exists()


def test_a_cancelled_sign_in_says_so(provider: IdentityProvider, sign_in: SignIn) -> None:
    provider.error = "access_denied"
    response = sign_in()
    assert response.status_code == 403
    assert b"The sign-in was canceled" in response.content


@pytest.mark.parametrize("address", ["no address", "x" * 250 + "@example.org"])
def test_an_address_that_cant_be_used_is_named(
    provider: IdentityProvider, sign_in: SignIn, client: Client, address: str
) -> None:
    provider.person |= {"email": address}
    response = sign_in()
    assert response.status_code == 403
    shown = response.content.decode()
    assert f"can&#x27;t use the address {address[:100]}" in shown
    assert "x" * 101 not in shown
    assert not User.objects.exists()
