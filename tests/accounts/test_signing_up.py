"""Signing up, signing in and out, and resetting a password without a mail server."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client, override_settings

from chat.accounts.forms import SignUpForm
from chat.accounts.models import User

pytestmark = pytest.mark.django_db
ALICE = {
    "email": "alice@example.org",
    "password1": "correct horse 9",
    "password2": "correct horse 9",
}


def test_signing_up_signs_in(client: Client) -> None:
    response = client.post("/accounts/signup/", ALICE, follow=True)
    assert response.redirect_chain[-1][0] == "/chat/"
    user = User.objects.get()
    assert (user.email, user.is_staff, user.is_superuser) == ("alice@example.org", False, False)


def test_the_first_person_to_sign_up_is_not_staff(client: Client) -> None:
    client.post("/accounts/signup/", ALICE)
    assert not User.objects.filter(is_staff=True).exists()
    assert client.get("/admin/").status_code == 403


def test_an_address_has_one_account_whatever_its_case(client: Client) -> None:
    client.post("/accounts/signup/", ALICE)
    Client().post("/accounts/signup/", {**ALICE, "email": "ALICE@Example.org"})
    assert User.objects.count() == 1


def test_input_is_kept_after_an_error(client: Client) -> None:
    page = client.post("/accounts/signup/", {**ALICE, "password2": "other"}).content.decode()
    assert 'value="alice@example.org"' in page
    assert "correct horse" not in page


def test_signing_in_and_out(client: Client) -> None:
    User.objects.create_user("alice@example.org", "correct horse 9")
    client.post("/accounts/login/", {"login": "Alice@example.org", "password": "correct horse 9"})
    assert client.get("/chat/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/chat/")["Location"] == "/accounts/login/?next=/chat/"


def test_a_deactivated_account_cannot_sign_in(client: Client) -> None:
    User.objects.create_user("alice@example.org", "correct horse 9", is_active=False)
    client.post("/accounts/login/", {"login": "alice@example.org", "password": "correct horse 9"})
    assert client.get("/chat/").status_code == 302


@override_settings(SIGN_UP="closed")
def test_with_closed_sign_up_nobody_can_sign_up(client: Client) -> None:
    client.post("/accounts/signup/", ALICE)
    assert not User.objects.exists()


def test_a_reset_mail_is_saved_as_a_file_with_a_working_link(client: Client) -> None:
    User.objects.create_user("alice@example.org", "correct horse 9")
    backend = "chat.accounts.mail.FileBackend"
    with override_settings(EMAIL_BACKEND=backend):
        client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    (file,) = Path(settings.EMAIL_FILE_PATH).iterdir()
    found = re.search(r"http://\S+(/accounts/password/reset/key/\S+)", file.read_text())
    assert found
    form = client.get(found[1], follow=True)
    new = {"password1": "another horse 7", "password2": "another horse 7"}
    client.post(form.request["PATH_INFO"], new)
    assert User.objects.get().check_password("another horse 7")


def test_a_reset_does_not_reveal_who_has_an_account(client: Client) -> None:
    User.objects.create_user("alice@example.org", "correct horse 9")
    known = client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert known["Location"] == unknown["Location"]
    assert "nobody@example.org" in [m.to[0] for m in mail.outbox]


@pytest.fixture
def overtaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another request create the account when this one has found that there is none."""
    check = SignUpForm.clean

    def checked(form: SignUpForm) -> dict[str, Any]:
        data = check(form)
        User.objects.create_user(ALICE["email"], "another password 9")
        return data

    monkeypatch.setattr(SignUpForm, "clean", checked)


@pytest.mark.usefixtures("overtaken")
@pytest.mark.parametrize("confirmation", ["optional", "mandatory"])
def test_of_two_who_sign_up_at_once_with_one_address_one_gets_the_account(
    client: Client, confirmation: str
) -> None:
    with override_settings(ACCOUNT_EMAIL_VERIFICATION=confirmation):
        response = client.post("/accounts/signup/", ALICE)
    assert User.objects.count() == 1
    if confirmation == "optional":
        assert response.status_code == 200
        assert "account with this email address already exists" in response.content.decode()
    else:
        assert response["Location"] == "/accounts/confirm-email/"
        assert [each.to for each in mail.outbox] == [[ALICE["email"]]]
    assert client.get("/chat/").status_code == 302
