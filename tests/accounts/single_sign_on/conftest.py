"""A running identity provider, and the site configured to use it."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from allauth.account.models import EmailAddress
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from tests.support.servers.identity_provider import CLIENT_ID, CLIENT_SECRET, IdentityProvider

#: Starts a sign-in and returns the address at which the browser comes back.
Begin = Callable[..., str]
#: Signs in with the provider and returns the site's last response.
SignIn = Callable[..., HttpResponse]


def is_signed_in(client: Client) -> bool:
    return client.get("/chat/").status_code == 200


def make_member(*, verified: bool) -> User:
    user = User.objects.create_user("alice@example.org", "correct horse")
    EmailAddress.objects.create(user=user, email=user.email, verified=verified, primary=True)
    return user


@pytest.fixture
def provider(settings: Settings) -> Iterator[IdentityProvider]:
    found = IdentityProvider()
    settings.SSO_ISSUER, settings.SSO_NAME = found.issuer, "Example ID"
    settings.SSO_CLIENT_ID, settings.SSO_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET
    found.become("alice")
    with found.running():
        yield found


@pytest.fixture
def begin(provider: IdentityProvider, client: Client) -> Begin:
    def start(browser: Client = client, **sent: str) -> str:
        page = browser.post("/accounts/sso/", sent)
        assert page.status_code == 200, page.content
        with httpx.Client(trust_env=False) as http:
            back = http.get(page.context["url"])
        location = back.headers["Location"]
        return str(location[location.index("/accounts/") :])

    return start


@pytest.fixture
def sign_in(begin: Begin, client: Client) -> SignIn:
    def run(browser: Client = client, **sent: str) -> HttpResponse:
        return browser.get(begin(browser, **sent))  # type: ignore[return-value]

    return run
