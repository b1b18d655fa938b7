"""Mails about an account are written by this project, in the style and languages of its pages."""

from pathlib import Path

import allauth
import pytest
from django.conf import settings
from django.core import mail
from django.template.loader import get_template
from django.test import Client

from chat.accounts.models import User

ALLAUTH = Path(allauth.__file__).parent / "templates"
#: Sign-in by code is turned off; the mail for signing up includes the one for any other address.
OTHERS = ("login_code", "password_reset_code", "email_confirmation_signup")
NAMES = sorted(
    str(path.relative_to(ALLAUTH))
    for folder in ("account", "mfa")
    for path in (ALLAUTH / folder / "email").glob("*.txt")
    if not path.name.startswith(OTHERS)
)


@pytest.mark.parametrize("name", NAMES)
def test_no_mail_has_the_words_of_a_library(name: str) -> None:
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
