"""A member's settings are stored, and every page applies them."""

from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.test import Client

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.quotas.models import Limit
from chat.web.http.error_views import server_error

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
DARK = {"theme": "dark", "text_size": "large", "language": "de"}


def stored(user: User) -> Preferences:
    user.refresh_from_db()
    return Preferences.of(user)


def test_a_change_is_stored_and_other_settings_stay(browser: Client, alice: User) -> None:
    browser.post("/settings/", {"theme": "dark", "enter_key": "newline"})
    browser.post("/settings/", {"text_size": "larger"})
    assert stored(alice) == Preferences(theme="dark", enter_key="newline", text_size="larger")


def test_pages_are_rendered_with_the_settings(browser: Client) -> None:
    browser.post("/settings/", DARK)
    root = '<html lang="de" dir="ltr" data-theme="dark" data-text-size="large">'
    paths = ["/chat/", "/chat/temporary/", "/settings/", "/accounts/email/", "/accounts/logout/"]
    for path in paths:
        assert root in browser.get(path).content.decode(), path
    missing = browser.get("/nowhere", headers={"Accept": "text/html"})
    assert root in missing.content.decode()


def test_the_language_setting_overrides_the_browsers_language(browser: Client) -> None:
    browser.post("/settings/", {"language": "ar"})
    page = browser.get("/settings/", headers={"Accept-Language": "de"}).content.decode()
    assert '<html lang="ar" dir="rtl"' in page
    browser.post("/settings/", {"language": ""})
    page = browser.get("/settings/", headers={"Accept-Language": "de"}).content.decode()
    assert '<html lang="de" dir="ltr"' in page


def test_every_language_of_the_site_is_offered_by_its_own_name(browser: Client) -> None:
    page = browser.get("/settings/").content.decode()
    for code, name in settings.LANGUAGES:
        assert f'<option value="{code}">{name}</option>' in page
        browser.post("/settings/", {"language": code})
        assert f'<html lang="{code}"' in browser.get("/settings/").content.decode()
        browser.post("/settings/", {"language": ""})


def test_a_new_chat_uses_the_default_model(browser: Client) -> None:
    model = "@cf/openai/gpt-oss-20b"
    browser.post("/settings/", {"default_model": model})
    assert f'<option value="{model}" selected' in browser.get("/chat/").content.decode()


@pytest.mark.parametrize(
    "sent",
    [
        {"theme": "neon"},
        {"text_size": ""},
        {"language": "xx"},
        {"default_model": "no/such-model"},
        {"announcements": "\x00"},
        {"enter_key": "x" * 5000},
    ],
)
def test_an_invalid_value_is_refused_with_the_reason(
    browser: Client, alice: User, sent: dict[str, str]
) -> None:
    browser.post("/settings/", {"theme": "dark"})
    response = browser.post("/settings/", sent)
    assert response.status_code == 422
    assert 'class="field-error"' in response.content.decode()
    assert stored(alice) == Preferences(theme="dark")
    answer = browser.post("/settings/", sent, headers=HTMX)
    assert (answer.status_code, answer["HX-Retarget"]) == (422, "#settings")


def test_scripts_get_a_confirmation_and_reload_for_another_language(browser: Client) -> None:
    answer = browser.post("/settings/", {"theme": "dark"}, headers=HTMX)
    assert answer.content.decode().strip() == "<span>Saved.</span>"
    answer = browser.post("/settings/", {"language": "de"}, headers=HTMX)
    assert answer["HX-Refresh"] == "true"
    assert "Gespeichert." in browser.get("/settings/").content.decode()


@pytest.mark.parametrize(
    "old", [None, [], "dark", {"theme": "neon", "text_size": 7, "default_model": None, "gone": 1}]
)
def test_stored_values_that_are_not_understood_are_ignored(
    browser: Client, alice: User, old: Any
) -> None:
    assert Preferences.read(old) == Preferences()
    User.objects.filter(pk=alice.pk).update(preferences=old or {})
    assert browser.get("/chat/").status_code == 200
    assert browser.get("/settings/").status_code == 200


def test_a_default_model_that_is_gone_does_not_block_other_changes(
    browser: Client, alice: User
) -> None:
    Preferences(default_model="@cf/microsoft/phi-2").save(alice)
    assert browser.post("/settings/", {"theme": "dark"}).status_code == 302
    assert stored(alice) == Preferences(theme="dark")


def test_settings_are_read_with_the_account_without_a_query(
    browser: Client, django_assert_num_queries: Any
) -> None:
    Limit.objects.create(scope="everyone", measure="tokens", amount=10**6)  # rules have a version
    browser.get("/settings/")  # what a process reads once
    with django_assert_num_queries(
        4
    ):  # the session, the account; personas and models to choose from
        browser.get("/settings/")


def test_an_error_page_needs_no_database(
    browser: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise DatabaseError

    browser.raise_request_exception = False
    monkeypatch.setattr("django.contrib.auth.middleware.auth.get_user", broken)
    headers = {"Accept": "text/html", "Accept-Language": "de"}
    response = browser.get("/chat/", headers=headers)
    assert response.status_code == 500
    assert "Bei uns ist etwas schiefgegangen." in response.content.decode()
    request = HttpRequest()  # before any middleware has seen it
    request.META["HTTP_ACCEPT"] = "text/html"
    assert b"Something went wrong on our side." in server_error(request).content
