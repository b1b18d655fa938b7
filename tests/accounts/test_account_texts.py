"""Mails, notices and errors about an account are in the style and the languages of the pages."""

from pathlib import Path

import allauth
import pytest
from django.conf import settings
from django.core import mail
from django.template.loader import get_template
from django.test import Client

from chat.accounts.models import User
from tests.accounts.second_factor import activate, member_with_address

ALLAUTH = Path(allauth.__file__).parent / "templates"
#: Sign-in by code or phone is off, the file of recovery codes has no words, and the mail for signing
#: up includes the one for any other address.
OTHERS = ("login_code", "password_reset_code", "phone", "email_confirmation_signup", "download")
NAMES = sorted(
    str(path.relative_to(ALLAUTH))
    for folder in ("account", "mfa")
    for path in (ALLAUTH / folder).glob("*/*.txt")
    if not path.name.startswith(OTHERS)
)


@pytest.mark.parametrize("name", NAMES)
def test_no_mail_or_notice_has_the_words_of_a_library(name: str) -> None:
    template = get_template(name)
    assert Path(template.template.origin.name).is_relative_to(settings.BASE_DIR / "templates")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("language", "subject", "words"),
    [
        ("en", "[Runnel] Choose a new password", "your Runnel account, open this link:"),
        ("de", "[Runnel] Neues Passwort wählen", "das Konto bei Runnel wählen:"),
        ("ar", "[Runnel] اختيار كلمة مرور جديدة", "لحسابك في Runnel"),
    ],
)
def test_a_reset_is_mailed_in_the_language_of_the_page(
    alice: User, language: str, subject: str, words: str
) -> None:
    browser = Client(headers={"Accept-Language": language})
    browser.post("/accounts/password/reset/", {"email": alice.email})
    (sent,) = mail.outbox
    assert sent.subject == subject
    assert words in sent.body
    assert "/accounts/password/reset/key/" in sent.body


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "This password is too short. Use at least 8 characters."),
        ("de", "Dieses Passwort ist zu kurz. Nötig sind mindestens 8 Zeichen."),
        ("ar", "كلمة المرور قصيرة جدًا. استخدم 8 أحرف على الأقل."),
    ],
)
def test_a_short_password_is_refused_in_the_language_of_the_page(language: str, words: str) -> None:
    browser = Client(headers={"Accept-Language": language})
    fields = {"email": "new@example.org", "password1": "riv", "password2": "riv"}
    assert words in browser.post("/accounts/signup/", fields).content.decode()


def test_a_wrong_password_is_refused_without_formality(alice: User) -> None:
    browser = Client(headers={"Accept-Language": "de"})
    page = browser.post("/accounts/login/", {"login": alice.email, "password": "wrong"})
    assert "Die E-Mail-Adresse oder das Passwort ist falsch." in page.content.decode()


def test_the_pages_of_the_second_factor_are_in_the_members_language(alice: User) -> None:
    client = member_with_address(alice)
    activate(client)
    words = {
        "totp/deactivate/": "Authenticator-App ausschalten",
        "recovery-codes/": "Noch 10 Codes.",
        "recovery-codes/generate/": "Neue Wiederherstellungscodes erstellen?",
    }
    for path, said in words.items():
        page = client.get(f"/accounts/2fa/{path}", headers={"Accept-Language": "de"})
        assert said in page.content.decode(), path


def test_another_way_to_confirm_has_this_sites_name(alice: User) -> None:
    client = member_with_address(alice)
    activate(client)
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    german = {"Accept-Language": "de"}
    page = client.get("/accounts/reauthenticate/", headers=german).content.decode()
    assert "Code verwenden" in page
    page = client.get("/accounts/2fa/reauthenticate/", headers=german).content.decode()
    assert "Bitte den Code aus der Authenticator-App" in page
    assert "Passwort verwenden" in page
