"""With `SIGN_UP_DOMAINS`, only addresses of these domains sign up, and they are confirmed."""

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _domains(settings: Settings) -> None:
    settings.SIGN_UP_DOMAINS = ["example.org", "school.example"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def sign_up(client: Client, email: str) -> bytes:
    sent = {"email": email, "password1": "correct horse 9", "password2": "correct horse 9"}
    return client.post("/accounts/signup/", sent, follow=True).content


@pytest.mark.parametrize("email", ["alice@example.org", "alice@SCHOOL.example"])
def test_an_address_in_the_domains_gets_a_link(client: Client, email: str) -> None:
    assert b"Check your email" in sign_up(client, email)
    assert len(mail.outbox) == 1
    assert client.get("/chat/").status_code == 302  # until it is confirmed


@pytest.mark.parametrize(
    "email",
    [
        "alice@example.com",
        "alice@evil-example.org",
        "alice@sub.example.org",
        "alice@example.org.evil.example",
    ],
)
def test_another_address_is_refused_with_the_domains(client: Client, email: str) -> None:
    page = sign_up(client, email)
    assert b"an email address that ends in @example.org, @school.example." in page
    assert not User.objects.exists()
    assert mail.outbox == []
