"""Set up and use an authenticator app in tests."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth
from django.test import Client

from chat.accounts.models import User

PASSWORD = "correct horse"


def member_with_address(user: User) -> Client:
    """Return a member with a confirmed address, which a second factor requires, signed in."""
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return client


def code_for(secret: str) -> str:
    """Return the code that the app shows now."""
    counter = next(auth.yield_hotp_counters_from_time())
    return str(auth.format_hotp_value(auth.hotp_value(secret, counter)))


def activate(client: Client) -> str:
    """Set up an authenticator app; return its secret."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/")
    assert page.status_code == 200, page.headers
    secret: str = page.context["form"].secret
    assert secret in page.content.decode()
    done = client.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    assert done.status_code == 302, done.content.decode()
    return secret


def second_step(user: User, code: str, **options: Any) -> Any:
    """Sign in by password in a new browser, and return the response to the code."""
    browser = Client()
    answer = browser.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert answer["Location"] == "/accounts/2fa/authenticate/"
    return browser.post("/accounts/2fa/authenticate/", {"code": code}, **options)
