"""Error pages: status, language and theme."""

from typing import Any

import pytest
from django.db import DatabaseError
from django.test import AsyncClient, Client

from chat.accounts.models import User
from chat.accounts.preferences import Preferences

HTML = {"Accept": "text/html", "Accept-Language": "de"}


@pytest.fixture
def browser(alice: User) -> Client:
    Preferences(theme="dark", language="ar").save(alice)
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(alice)
    return client


def broken(*_: Any, **__: Any) -> None:
    raise DatabaseError


def test_an_unknown_page_is_a_404(browser: Client) -> None:
    response = browser.get("/nowhere", headers=HTML)
    page = response.content.decode()
    assert response.status_code == 404
    assert '<html lang="ar" dir="rtl" data-theme="dark"' in page
    assert "الصفحة غير موجودة" in page
    assert 'content="#161817"' in page


def test_an_expired_form_shows_a_page(browser: Client) -> None:
    response = browser.post("/settings/", {"theme": "light"}, headers=HTML)
    page = response.content.decode()
    assert response.status_code == 403
    assert 'data-theme="dark"' in page
    assert "أعد تحميلها وحاول مجددًا." in page


@pytest.mark.django_db
def test_a_request_to_another_host_is_a_400() -> None:
    response = Client().get("/chat/", headers=HTML | {"Host": "evil.example"})
    page = response.content.decode()
    assert response.status_code == 400
    assert '<html lang="de" dir="ltr" data-theme="system"' in page
    assert "Die Anfrage ist ungültig." in page


def test_an_error_in_a_view_is_shown_in_the_members_language(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.web.chat.views.chats.list_context", broken)
    response = browser.get("/chat/", headers=HTML)
    assert response.status_code == 500
    assert 'lang="ar" dir="rtl" data-theme="dark"' in response.content.decode()
    assert "حدث خطأ من جانبنا." in response.content.decode()


async def test_without_its_database_the_site_shows_an_error_page(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice_client.raise_request_exception = False
    monkeypatch.setattr("chat.accounts.sessions.session_rights.user_of", broken)
    monkeypatch.setattr("django.contrib.auth.middleware.auth.get_user", broken)
    response = await alice_client.get("/chat/", headers=HTML)
    assert response.status_code == 500
    assert "Bei uns ist etwas schiefgegangen." in response.content.decode()
    response = await alice_client.get("/healthz")
    assert response.status_code == 200
    response = await alice_client.get("/chat/", headers={"Accept": "application/json"})
    assert response.json()["error"]["code"] == "error"


def test_a_program_gets_json_instead_of_a_page(browser: Client) -> None:
    response = browser.get("/nowhere")
    assert response.status_code == 404
    assert response.json()["error"] == {
        "code": "not_found",
        "message": "غير موجود.",
        "retryable": False,
    }


def test_where_an_error_in_the_code_is_gets_logged(
    browser: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("chat.web.chat.views.chats.list_context", broken)
    browser.get("/chat/", headers=HTML)
    (record,) = [each for each in caplog.records if each.name == "django.request"]
    assert record.exc_info
    assert record.exc_info[0] is DatabaseError
