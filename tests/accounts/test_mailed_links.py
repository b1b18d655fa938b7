"""Links in mails are built from SITE_URL, whatever the request's Host is."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core import mail
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from tests.support.web.signed_in import sign_in

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse 9"
SITE = "https://chat.example.org"
#: An allowed host with another port, which any client can send.
FORGED = {"HTTP_HOST": "localhost:4666", "SERVER_PORT": "4666"}
WHY = {"reason": "Asked for it by phone"}
NEW = {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice@example.org", PASSWORD)


def client_of(user: User) -> Client:
    return sign_in(Client(**FORGED), user)  # type: ignore[arg-type]


def reset(alice: User) -> None:
    Client(**FORGED).post("/accounts/password/reset/", {"email": alice.email})  # type: ignore[arg-type]


def reset_of_nobody(alice: User) -> None:
    Client(**FORGED).post("/accounts/password/reset/", {"email": "x@example.org"})  # type: ignore[arg-type]


def sign_up(alice: User) -> None:
    Client(**FORGED).post("/accounts/signup/", NEW)  # type: ignore[arg-type]


def sign_up_again(alice: User) -> None:
    Client(**FORGED).post("/accounts/signup/", NEW | {"email": alice.email})  # type: ignore[arg-type]


def confirm_once_more(alice: User) -> None:
    client_of(alice).post("/accounts/email/", {"email": alice.email, "action_send": ""})


def add_address(alice: User) -> None:
    client = client_of(alice)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"email": "other@example.org", "action_add": ""})


def staff(do: Callable[[Client], Any]) -> None:
    adam = User.objects.create_user("adam@example.org", "tide table")
    adam.user_permissions.add(Permission.objects.get(codename="administer_review"))
    client = client_of(adam)
    client.post("/review/reason/", {"reason": "Looking after people", "next": "/review/"})
    do(client)


def invite(alice: User) -> None:
    staff(lambda client: client.post("/review/invitations/", {"people": "new@example.org", **WHY}))


def approve(alice: User) -> None:
    alice.is_active, alice.pending_since = False, alice.date_joined
    alice.save()
    staff(lambda client: client.post(f"/review/people/{alice.pk}/approval/", WHY))


def reset_by_staff(alice: User) -> None:
    staff(lambda client: client.post(f"/review/people/{alice.pk}/password-reset/", WHY))


MAILS = (
    reset, reset_of_nobody, sign_up, sign_up_again, confirm_once_more, add_address,
    invite, approve, reset_by_staff,
)  # fmt: skip


@pytest.mark.parametrize("send", MAILS, ids=lambda send: send.__name__)
def test_a_link_in_a_mail_starts_with_site_url(
    send: Callable[[User], None], alice: User, settings: Settings
) -> None:
    settings.SITE_URL = SITE
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    send(alice)
    (sent,) = mail.outbox
    assert "localhost" not in f"{sent.subject} {sent.body} {sent.from_email}"
    links = re.findall(r"https?://[^\s<>]+", sent.body)
    assert links
    assert all(link.startswith(f"{SITE}/") for link in links), links


def test_the_port_in_host_does_not_start_another_count(alice: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    wrong = {"login": alice.email, "password": "wrong"}
    for port in range(5):
        Client(HTTP_HOST=f"localhost:{port + 1}").post("/accounts/login/", wrong)
    page = Client(HTTP_HOST="localhost:6").post("/accounts/login/", wrong).content.decode()
    assert "Too many attempts" in page
