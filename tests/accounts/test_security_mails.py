"""Mails tell members about changes of their account, and what to do if it was somebody else."""

import re
from smtplib import SMTPException
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.accounts.sessions import known_devices

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0"
CREDENTIALS = {"login": "alice@example.org", "password": "correct horse"}
NEW = {"password1": "another horse 7", "password2": "another horse 7"}
SUBJECT = "[Runnel] New sign-in to your account"


@pytest.fixture
def alice(alice: User) -> User:
    """Return alice, who has signed in before on another device."""
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    sign_in(Client())
    assert mail.outbox == []
    return alice


def sign_in(browser: Client) -> None:
    answer = browser.post("/accounts/login/", CREDENTIALS)
    assert answer.status_code == 302
    assert answer["Location"] == "/chat/"


def only_mail() -> Any:
    (sent,) = mail.outbox
    return sent


def test_a_sign_in_from_a_new_device_is_reported_with_what_to_do(
    alice: User, settings: Settings
) -> None:
    sign_in(Client(headers={"User-Agent": FIREFOX}, REMOTE_ADDR="198.51.100.7"))
    sent = only_mail()
    assert (sent.subject, sent.to) == (SUBJECT, [alice.email])
    assert "Firefox on Windows" in sent.body
    assert "198.51.100.7" not in sent.body
    paths = re.findall(rf"{settings.SITE_URL}(/\S+)", sent.body)
    assert paths == [
        "/accounts/password/reset/",
        "/settings/devices/",
        "/accounts/email/",
        "/accounts/2fa/",
    ]
    assert Client().get(paths[0]).status_code == 200


def test_a_device_is_reported_once(alice: User) -> None:
    browser = Client()
    sign_in(browser)
    browser.post("/accounts/logout/")
    mail.outbox.clear()
    sign_in(browser)
    assert mail.outbox == []


def test_the_first_sign_in_is_not_reported(db: None) -> None:
    browser = Client()
    sent = {
        "email": "new@example.org",
        "password1": "correct horse 9",
        "password2": "correct horse 9",
    }
    browser.post("/accounts/signup/", sent)
    assert SUBJECT not in [each.subject for each in mail.outbox]
    mail.outbox.clear()
    browser.post("/accounts/logout/")
    browser.post("/accounts/login/", {"login": "new@example.org", "password": "correct horse 9"})
    assert mail.outbox == []


def test_a_wrong_password_is_not_reported_as_a_sign_in(alice: User) -> None:
    Client().post("/accounts/login/", CREDENTIALS | {"password": "wrong"})
    assert mail.outbox == []


def test_a_browser_can_be_known_to_two_members(alice: User, bob: User) -> None:
    browser = Client()
    his = {"login": bob.email, "password": "battery staple"}
    browser.post("/accounts/login/", his)
    browser.post("/accounts/logout/")
    mail.outbox.clear()
    sign_in(browser)
    assert only_mail().to == [alice.email]
    browser.post("/accounts/logout/")
    mail.outbox.clear()
    for credentials in (his, CREDENTIALS):
        browser.post("/accounts/login/", credentials)
        browser.post("/accounts/logout/")
    assert mail.outbox == []


def test_the_cookie_is_http_only_and_limited_to_account_pages(alice: User) -> None:
    browser = Client()
    sign_in(browser)
    cookie = browser.cookies[known_devices.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/accounts/")
    assert cookie["max-age"] == 400 * 24 * 3600
    assert not cookie["secure"]


def test_over_https_the_cookie_is_secure(alice: User, settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    browser = Client()
    sign_in(browser)
    assert browser.cookies[known_devices.COOKIE]["secure"]


@pytest.mark.parametrize("forged", ["{id}", "{id}:x:y", "", ".", "{other}"])
def test_a_forged_cookie_does_not_make_a_device_known(alice: User, bob: User, forged: str) -> None:
    browser = Client()
    if forged == "{other}":  # signed, but for another member
        browser.post("/accounts/login/", {"login": bob.email, "password": "battery staple"})
        browser.post("/accounts/logout/")
    else:
        browser.cookies[known_devices.COOKIE] = forged.format(id=alice.pk)
    mail.outbox.clear()
    sign_in(browser)
    assert only_mail().subject == SUBJECT


def test_a_changed_password_is_reported(alice: User) -> None:
    browser = Client()
    sign_in(browser)
    mail.outbox.clear()
    browser.post("/accounts/password/change/", {"oldpassword": "correct horse", **NEW})
    sent = only_mail()
    assert sent.to == [alice.email]
    assert "password" in sent.subject.lower()
    assert "If it wasn't you" in sent.body
    assert "/accounts/password/reset/" in sent.body


def test_a_password_reset_is_reported(alice: User) -> None:
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": alice.email})
    found = re.search(r"http://\S+?(/accounts/password/reset/key/\S+)", str(only_mail().body))
    assert found
    mail.outbox.clear()
    form = browser.get(found[1], follow=True)
    browser.post(form.request["PATH_INFO"], NEW)
    assert "If it wasn't you" in mail.outbox[0].body


def test_the_mail_is_in_the_members_language(alice: User) -> None:
    Preferences(language="de").save(alice)
    browser = Client(headers={"Accept-Language": "en"})
    sign_in(browser)
    mail.outbox.clear()
    browser.post("/accounts/password/change/", {"oldpassword": "correct horse", **NEW})
    assert "Passwort" in only_mail().subject


def test_a_failing_mail_server_does_not_prevent_signing_in(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(message: EmailMessage, fail_silently: bool = False) -> int:
        raise SMTPException("no")

    monkeypatch.setattr(EmailMessage, "send", fail)
    browser = Client()
    sign_in(browser)
    assert browser.get("/chat/").status_code == 200
