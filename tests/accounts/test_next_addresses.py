"""After signing in or out, `next` leads to pages of this site only."""

import pytest
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User

PASSWORD = "correct horse"


def leads_to(next_address: str) -> str:
    User.objects.get_or_create(email="alice@example.org")
    alice = User.objects.get()
    alice.set_password(PASSWORD)
    alice.save()
    fields = {"login": alice.email, "password": PASSWORD, "next": next_address}
    return str(Client().post("/accounts/login/", fields)["Location"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "away",
    ["//[attacker.invalid]/", "//[::1]/", "https://other.example.org/", "http://testserver/chat/", "\\\\a.invalid"],
)  # fmt: skip
def test_an_address_elsewhere_is_ignored(away: str, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "other.example.org", "[::1]"]
    assert leads_to(away) == "/chat/"
    signing_out = Client().get("/accounts/logout/", {"next": away})
    assert signing_out["Location"] in {"/", "/accounts/login/"}


@pytest.mark.django_db
def test_a_path_is_followed() -> None:
    assert leads_to("/settings/?x=1") == "/settings/?x=1"
