"""A session stores its user, and lasts equally long after any kind of sign-in."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import closure, suspension
from chat.accounts.models import User
from chat.accounts.sessions import devices, session_rights
from chat.accounts.sessions.session_store import SessionStore, UserSession
from tests.accounts.second_factor import PASSWORD, activate, member_with_address
from tests.support.browser.software_passkey import SoftwarePasskey
from tests.support.web.signed_in import signed_in

ADD, LOGIN = "/accounts/2fa/webauthn/add/", "/accounts/2fa/webauthn/login/"
JSON = {"Accept": "application/json"}
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"


def by_password(user: User) -> Client:
    browser = Client(headers={"User-Agent": FIREFOX})
    browser.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return browser


def row_of(browser: Client) -> UserSession:
    return UserSession.objects.get(session_key=browser.cookies["sessionid"].value)


def seconds_left(row: UserSession) -> float:
    return (row.expire_date - timezone.now()).total_seconds()


@pytest.fixture
def passkey(alice: User, settings: Settings) -> SoftwarePasskey:
    settings.SITE_URL, settings.PASSKEYS = "https://testserver", True
    browser, made = member_with_address(alice), SoftwarePasskey("https://testserver")
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    options = browser.get(ADD).context["js_data"]["creation_options"]
    added = browser.post(ADD, {"name": "Key", "credential": made.create(options)})
    assert added.status_code == 302, added.context["form"].errors
    UserSession.objects.all().delete()
    return made


def challenged() -> tuple[Client, Any]:
    """Return a browser and the challenge that it has to sign."""
    browser = Client(headers={"User-Agent": FIREFOX})
    return browser, browser.get(LOGIN, headers=JSON).json()["request_options"]


def test_a_session_after_a_passkey_is_like_one_after_a_password(
    alice: User, bob: User, passkey: SoftwarePasskey
) -> None:
    browser, options = challenged()
    before = row_of(browser)
    assert before.user is None
    signed_in = browser.post(LOGIN, {"credential": passkey.get(options)})
    assert signed_in.status_code == 302
    assert browser.get("/chat/").status_code == 200
    row = row_of(browser)
    assert row.session_key != before.session_key
    assert not UserSession.objects.filter(session_key=before.session_key).exists()
    assert "mfa.webauthn.state" not in row.get_decoded()
    bob.set_password(PASSWORD)
    bob.save()
    other = row_of(by_password(bob))
    assert (row.user, other.user) == (alice, bob)
    assert row.user_agent == other.user_agent == FIREFOX
    assert seconds_left(row) == pytest.approx(seconds_left(other), abs=60)
    assert seconds_left(row) > timedelta(days=13).total_seconds()


def test_signing_in_by_passkey_too_often_ends_the_oldest_session(
    passkey: SoftwarePasskey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MAX_DEVICES", 1)
    browsers = []
    for _ in range(2):
        browser, options = challenged()
        browser.post(LOGIN, {"credential": passkey.get(options)})
        browsers.append(browser)
    assert [each.get("/chat/").status_code for each in browsers] == [302, 200]


def test_an_unanswered_passkey_challenge_is_kept_for_an_hour(db: None) -> None:
    browser, _options = challenged()
    assert 0 < seconds_left(row_of(browser)) <= 3600


def test_a_pending_second_factor_is_kept_for_an_hour(alice: User) -> None:
    activate(member_with_address(alice))
    browser = by_password(alice)
    row = row_of(browser)
    assert "account_login" in row.get_decoded()
    assert row.user is None
    assert 0 < seconds_left(row) <= 3600


def test_saving_a_session_keeps_its_device(alice: User) -> None:
    browser = by_password(alice)
    before = row_of(browser)
    session = browser.session
    session["theme"] = "dark"
    session.save()
    after = row_of(browser)
    assert after.get_decoded()["theme"] == "dark"
    for name in ("user_id", "device_id", "user_agent", "created_at", "last_seen_at"):
        assert getattr(after, name) == getattr(before, name), name


async def test_a_session_saved_asynchronously_has_its_user(alice: User) -> None:
    session = SessionStore()
    await session.aset("_auth_user_id", str(alice.pk))
    await session.asave()
    row = await UserSession.objects.aget(session_key=session.session_key)
    assert row.user_id == alice.pk


@pytest.mark.parametrize(
    "end",
    [
        lambda user: devices.end_all(user.pk),
        suspension.end_sessions,
        closure.close_account,
        lambda user: devices.end_others(user.pk, None),
    ],
    ids=["everywhere", "by the staff", "with the account", "on others"],
)
def test_ending_a_members_sessions_decodes_no_session(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, end: Any
) -> None:
    bob_client = signed_in(bob)
    for _ in range(3):
        by_password(alice)

    def decode(*_given: object) -> None:
        raise AssertionError("a session was decoded")

    with monkeypatch.context() as patched:
        patched.setattr(SessionStore, "decode", decode)
        end(alice)
    assert list(UserSession.objects.values_list("user", flat=True)) == [bob.pk]
    assert bob_client.get("/chat/").status_code == 200


def test_no_column_stores_a_network_address(alice: User) -> None:
    browser = by_password(alice)
    browser.get("/settings/devices/", REMOTE_ADDR="198.51.100.7")
    devices.store_seen()
    (row,) = UserSession.objects.values()
    assert "198.51.100.7" not in str(row) + str(browser.session.items())


def test_sessions_of_a_way_to_sign_in_that_was_removed_have_ended(
    alice: User, alice_client: Any, settings: Settings
) -> None:
    browser = Client()
    browser.cookies = alice_client.cookies
    key = row_of(browser).session_key
    assert session_rights.members_of([key]) == {key: alice.pk}
    assert browser.get("/settings/").status_code == 200
    settings.AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
    assert session_rights.members_of([key]) == {}
    assert browser.get("/settings/").status_code == 302


def test_a_session_keeps_its_rights_only_while_its_member_has_them(
    alice: User, alice_client: Any, settings: Settings
) -> None:
    browser = Client()
    browser.cookies = alice_client.cookies
    key = row_of(browser).session_key
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, [settings.SECRET_KEY]
    assert session_rights.members_of([key, "unknown"]) == {key: alice.pk}
    settings.SECRET_KEY_FALLBACKS = []
    assert session_rights.members_of([key]) == {}


@pytest.mark.parametrize(
    "change", [{"is_active": False}, {"password": "changed"}, {"expire_date": timezone.now()}]
)
def test_a_session_that_has_ended_gives_no_rights(
    alice: User, alice_client: Any, change: dict[str, Any]
) -> None:
    browser = Client()
    browser.cookies = alice_client.cookies
    key = row_of(browser).session_key
    rows = UserSession if "expire_date" in change else User
    rows.objects.update(**change)
    assert session_rights.members_of([key]) == {}


@pytest.mark.parametrize(
    "key",
    [r'"\000\000\000\000\000\000\000\000"', "\x80" * 40, "x" * 3000],
    ids=["NULs", "no ASCII", "too long"],
)
def test_what_can_be_no_key_is_no_session(db: None, key: str) -> None:
    """PostgreSQL refuses to compare anything with a NUL."""
    browser = Client(headers={"Cookie": f"sessionid={key}"})
    assert browser.get("/accounts/login/").status_code == 200
    assert browser.get("/chat/").status_code == 302
    assert session_rights.members_of(["\0" * 32, key]) == {}
