"""Answers that are not the provider's, or not meant for this sign-in, sign nobody in."""

import logging
from typing import Any

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.accounts.single_sign_on.conftest import Begin, SignIn
from tests.support.servers.identity_provider import CLIENT_SECRET, IdentityProvider

pytestmark = pytest.mark.django_db


def assert_nobody_is_signed_in(client: Client) -> None:
    assert client.get("/chat/").status_code == 302
    assert not User.objects.exists()


@pytest.mark.every_variant
@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"aud": "another-client"},
        {"aud": ["runnel", "another-client"]},
        {"aud": ["runnel", "another-client"], "azp": "another-client"},
        {"azp": "another-client"},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"exp": 0},
        {"exp": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "s" * 192},
    ],
    ids=str,
)
def test_a_wrong_claim_ends_the_sign_in(
    provider: IdentityProvider, sign_in: SignIn, client: Client, claims: dict[str, Any]
) -> None:
    provider.token_claims = claims
    response = sign_in()
    assert response.status_code == 502
    assert b"couldn&#x27;t be verified" in response.content
    assert_nobody_is_signed_in(client)


def test_a_token_from_the_future_is_a_matter_of_clocks(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    provider.token_claims = {"iat": 4_000_000_000}
    response = sign_in()
    assert response.status_code == 502
    assert b"The clocks of this site and of the sign-in service differ" in response.content
    assert_nobody_is_signed_in(client)


@pytest.mark.parametrize("signature", ["signed_by_another", "unsigned", "signed_with_public_key"])
def test_a_wrong_signature_ends_the_sign_in(
    provider: IdentityProvider, sign_in: SignIn, client: Client, signature: str
) -> None:
    provider.sign = getattr(provider, signature)
    assert sign_in().status_code == 502
    assert_nobody_is_signed_in(client)


@pytest.mark.parametrize("path", ["?code=code-0&state=guess", "?code=code-0", ""])
def test_an_unknown_state_is_refused(provider: IdentityProvider, client: Client, path: str) -> None:
    response = client.get(f"/accounts/sso/callback/{path}")
    assert response.status_code == 400
    assert b"has expired or was already used" in response.content
    assert "/token" not in provider.requests


def test_the_answer_to_another_browser_is_refused(
    provider: IdentityProvider, begin: Begin, client: Client
) -> None:
    address = begin(Client())  # an attacker's, who sends the link to somebody
    client.get("/accounts/login/")
    assert client.get(address).status_code == 400
    assert_nobody_is_signed_in(client)


def test_an_answer_is_used_once(provider: IdentityProvider, begin: Begin, client: Client) -> None:
    address = begin()
    assert client.get(address).status_code == 302
    assert client.get(address).status_code == 400


def test_a_code_of_another_sign_in_is_refused(
    provider: IdentityProvider, begin: Begin, client: Client
) -> None:
    stolen, own = begin(Client()), begin()
    code = stolen.partition("code=")[2].partition("&")[0]
    _, _, state = own.partition("&state=")
    assert client.get(f"/accounts/sso/callback/?code={code}&state={state}").status_code == 502
    assert_nobody_is_signed_in(client)


def test_userinfo_about_somebody_else_is_refused(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    provider.person = {"sub": "alice"}
    provider.userinfo = {"sub": "bob", "email": "bob@example.org", "email_verified": True}
    assert sign_in().status_code == 502
    assert_nobody_is_signed_in(client)


def test_userinfo_does_not_change_what_the_token_says(
    provider: IdentityProvider, sign_in: SignIn, client: Client
) -> None:
    del provider.person["email_verified"]
    provider.userinfo = {"email": "bob@example.org", "email_verified": True}
    sign_in()
    assert User.objects.get().email == "alice@example.org"


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "ftp://127.0.0.1/"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": None},
    ],
    ids=str,
)
def test_a_discovery_document_that_does_not_fit_is_refused(
    provider: IdentityProvider, client: Client, document: dict[str, Any]
) -> None:
    provider.document = document
    assert client.post("/accounts/sso/").status_code == 502


def test_a_provider_that_does_not_answer_is_named_as_the_cause(
    provider: IdentityProvider, client: Client, settings: Any
) -> None:
    settings.SSO_ISSUER = "http://127.0.0.1:9"
    response = client.post("/accounts/sso/")
    assert response.status_code == 503
    assert b"isn&#x27;t responding" in response.content


def test_redirects_of_the_provider_are_not_followed(
    provider: IdentityProvider, client: Client, sign_in: SignIn
) -> None:
    provider.document = {"jwks_uri": f"{provider.issuer}/authorize"}
    assert client.post("/accounts/sso/").status_code == 200
    provider.document = {"jwks_uri": f"{provider.issuer}/missing"}
    assert sign_in().status_code == 503
    assert_nobody_is_signed_in(client)


def test_the_log_says_why_without_secrets(
    provider: IdentityProvider, sign_in: SignIn, caplog: pytest.LogCaptureFixture
) -> None:
    provider.token_claims = {"nonce": "of another sign-in"}
    with caplog.at_level(logging.INFO):
        sign_in()
    assert "ID token: wrong nonce" in caplog.text
    for secret in (CLIENT_SECRET, "token-of-alice", "code-0", "alice@example.org"):
        assert secret not in caplog.text


def test_a_sign_in_starts_only_from_the_sites_own_form(provider: IdentityProvider) -> None:
    assert Client(enforce_csrf_checks=True).post("/accounts/sso/").status_code == 403
    assert Client().get("/accounts/sso/").status_code == 405
