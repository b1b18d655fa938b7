"""Which passwords are accepted, and what confirming one does to the session."""

import re

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession

CHANGE = "/accounts/password/change/"
CONFIRM = "/accounts/reauthenticate/"
PASSWORD = "correct horse"


@pytest.fixture
def browser(alice: User) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    return browser


def change(browser: Client, new: str, old: str = PASSWORD) -> None:
    browser.post(CHANGE, {"oldpassword": old, "password1": new, "password2": new})


@pytest.mark.parametrize(
    "password",
    [
        "only letters here",
        "ONLYCAPITALS",
        "ünïcödé wörds",
        " spaces around ",
        "1234 5678 90",
        "z" * 7 + "9" * 120,
    ],
)
def test_any_composition_is_accepted(browser: Client, alice: User, password: str) -> None:
    change(browser, password)
    alice.refresh_from_db()
    assert alice.check_password(password)


@pytest.mark.parametrize("password", ["seven77", "password1", "iloveyou", "trustno1"])
def test_a_short_or_common_password_is_refused(browser: Client, alice: User, password: str) -> None:
    change(browser, password)
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_change_needs_the_current_password(browser: Client, alice: User) -> None:
    change(browser, "another horse 7", old="wrong horse")
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


@pytest.mark.parametrize(
    "given", ["Correct horse", "correct horse ", " correct horse", "correct hors"]
)
def test_a_password_is_compared_exactly(alice: User, given: str) -> None:
    browser = Client()
    browser.post("/accounts/login/", {"login": alice.email, "password": given})
    assert "_auth_user_id" not in browser.session


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", CHANGE, CONFIRM])
def test_fields_hide_a_password_and_let_managers_fill_it(browser: Client, path: str) -> None:
    client = browser if path in {CHANGE, CONFIRM} else Client()
    page = client.get(path).content.decode()
    fields = re.findall(r'<input[^>]*name="(?:old)?password\d?"[^>]*>', page)
    assert fields
    for field in fields:
        assert 'type="password"' in field
        assert re.search(r'autocomplete="(current|new)-password"', field)
        assert "readonly" not in field


def test_confirming_the_password_renews_the_session(browser: Client, alice: User) -> None:
    key = browser.cookies["sessionid"].value
    device = UserSession.objects.get(user=alice).device_id
    browser.post(CONFIRM, {"password": PASSWORD})
    renewed = UserSession.objects.get(user=alice)
    assert renewed.session_key != key
    assert renewed.device_id == device
    assert browser.get("/settings/devices/").status_code == 200
    browser.cookies["sessionid"] = key
    assert browser.get("/settings/devices/").status_code == 302


def test_a_wrong_password_renews_nothing(browser: Client, alice: User) -> None:
    key = browser.cookies["sessionid"].value
    browser.post(CONFIRM, {"password": "wrong"})
    assert UserSession.objects.get(user=alice).session_key == key
