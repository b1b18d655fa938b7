"""Every text that people read is translated into every language of the site."""

import re

import pytest
from babel.messages.catalog import Message
from django.test import Client
from django.utils import translation

from chat.emulator.scripts.starters import STARTERS
from chat.errors import NotFound
from chat.web.personas.starters import EMULATOR_TITLES
from project.site_languages import translated
from project.translations import SOURCES, extracted, read

CATALOGUES = [(language, domain) for language in translated() for domain in SOURCES]
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}|<[^>]+>|%[^(]")
COUNTS = {"{count}", "{seconds}", "%(count)s", "%(days)s", "%(number)s"}


def texts(message: Message) -> tuple[str, ...]:
    """Return the source texts: one, or a singular and a plural."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_the_catalogues_match_the_sources(language: str, domain: str) -> None:
    """`make makemessages` brings it up to date."""
    assert {m.id for m in read(language, domain)} == {m.id for m in extracted(domain)}


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_every_text_is_translated(language: str, domain: str) -> None:
    catalog = read(language, domain)
    untranslated = [
        message.id
        for message in catalog
        if message.fuzzy or not all(text.strip() for text in translations(message))
    ]
    assert untranslated == []
    counted = [message for message in catalog if message.id and len(texts(message)) > 1]
    assert {len(translations(each)) for each in counted} <= {catalog.num_plurals}


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_a_translation_keeps_placeholders_and_markup(language: str, domain: str) -> None:
    for message in filter(lambda each: each.id, read(language, domain)):
        wanted = {frozenset(PLACEHOLDER.findall(text)) for text in texts(message)}
        found = {frozenset(PLACEHOLDER.findall(text)) for text in translations(message)}
        if len(texts(message)) > 1:  # "one", "two" may do without the number
            wanted |= {each - COUNTS for each in wanted}
        assert found <= wanted, message.id


def test_titles_of_the_emulators_starters_are_translated() -> None:
    assert {each.title for each in STARTERS} == {str(title) for title in EMULATOR_TITLES}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "language", "direction", "words"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de", "ltr", "Bei Runnel anmelden"),
        ("ar", "ar", "rtl", "تسجيل الدخول إلى Runnel"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr", "ltr", "Se connecter à Runnel"),
        ("es-MX", "es", "ltr", "Iniciar sesión en Runnel"),
        ("en-GB", "en", "ltr", "Sign in to Runnel"),
        ("xx, de;q=0.1", "de", "ltr", "Bei Runnel anmelden"),
        ("tlh", "en", "ltr", "Sign in to Runnel"),
        ("\x00;;q=,,", "en", "ltr", "Sign in to Runnel"),
        ("", "en", "ltr", "Sign in to Runnel"),
    ],
)
def test_a_page_is_in_the_browsers_language(
    client: Client, accepted: str, language: str, direction: str, words: str
) -> None:
    response = client.get("/accounts/login/", headers={"Accept-Language": accepted})
    page = response.content.decode()
    assert f'<html lang="{language}" dir="{direction}"' in page
    assert words in page
    assert response["Content-Language"] == language
    assert "Accept-Language" in response["Vary"]
    assert translation.get_language() == "en"  # what was set ended with the request


@pytest.mark.django_db
def test_an_error_is_in_the_language_of_the_request(client: Client) -> None:
    response = client.get("/nowhere", headers={"Accept-Language": "de"})
    assert response.json()["error"]["message"] == "Nicht gefunden."
    assert NotFound().as_dict()["message"] == "Not found."
