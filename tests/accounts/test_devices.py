"""Devices: members see where they are signed in, and can sign a device out."""

import asyncio
import uuid
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import closure
from chat.accounts.models import User
from chat.accounts.sessions import devices, expired_sessions
from chat.accounts.sessions.session_store import UserSession
from chat.generations.delivery import notifications
from chat.generations.task import registry
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_end import ended
from tests.support.upstream.upstream_override import site_with
from tests.support.web.notifications_client import closed_with, listening
from tests.support.web.signed_in import signed_in_client

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)
PAGE = "/settings/devices/"


def signed_in(user: User, password: str, user_agent: str) -> Client:
    """Sign in on the page, with a new browser."""
    browser = Client(headers={"User-Agent": user_agent})
    sent = {"login": user.email, "password": password}
    assert browser.post("/accounts/login/", sent).status_code == 302
    return browser


def alices_on(user_agent: str, alice: User) -> Client:
    return signed_in(alice, "correct horse", user_agent)


def shown(browser: Client) -> list[devices.Device]:
    found: list[devices.Device] = browser.get(PAGE).context["devices"]
    return found


def test_the_list_names_each_browser_with_the_current_one_first(alice: User, bob: User) -> None:
    firefox, iphone = alices_on(FIREFOX, alice), alices_on(IPHONE, alice)
    signed_in(bob, "battery staple", FIREFOX)
    listed = [(each.browser, each.is_this) for each in shown(firefox)]
    assert listed == [("Firefox on Windows", True), ("Safari on iPhone", False)]
    assert [each.is_this for each in shown(iphone)] == [True, False]
    assert iphone.get(PAGE).content.decode().count("This device") == 1


def test_the_list_shows_the_last_request(alice: User) -> None:
    firefox, iphone = alices_on(FIREFOX, alice), alices_on(IPHONE, alice)
    devices.store_seen()
    long_ago = timezone.now() - timedelta(days=3)
    UserSession.objects.update(last_seen_at=long_ago)
    iphone.get("/chat/")
    (other,) = [each for each in shown(firefox) if not each.is_this]
    assert other.last_seen > long_ago + timedelta(days=2)


def test_last_requests_are_stored_later_in_one_batch(
    alice: User, django_assert_num_queries: Any
) -> None:
    for browser in (alices_on(FIREFOX, alice), alices_on(IPHONE, alice)):
        browser.get("/chat/")
    with django_assert_num_queries(2):
        devices.store_seen()
    with django_assert_num_queries(0):
        devices.store_seen()


def test_a_session_whose_key_changed_gets_its_browser_with_the_next_request(alice: User) -> None:
    browser = alices_on(FIREFOX, alice)
    session = browser.session
    session.cycle_key()
    session.save()
    browser.cookies["sessionid"] = session.session_key
    assert [each.browser for each in shown(browser)] == ["Firefox on Windows"]


def test_a_member_signs_out_one_device(alice: User) -> None:
    firefox, iphone = alices_on(FIREFOX, alice), alices_on(IPHONE, alice)
    (other,) = [each for each in shown(firefox) if not each.is_this]
    answer = firefox.post(PAGE, {"device": other.id}, follow=True)
    assert "Device signed out." in answer.content.decode()
    assert iphone.get("/chat/").status_code == 302
    assert firefox.get("/chat/").status_code == 200
    assert len(shown(firefox)) == 1


def test_a_member_signs_out_all_other_devices(alice: User, bob: User) -> None:
    mine, others = alices_on(FIREFOX, alice), [alices_on(IPHONE, alice) for _ in range(3)]
    bob_client = signed_in(bob, "battery staple", FIREFOX)
    mine.post(PAGE, {"others": "yes"})
    assert {each.get("/chat/").status_code for each in others} == {302}
    assert mine.get("/chat/").status_code == bob_client.get("/chat/").status_code == 200


@pytest.mark.parametrize("device", ["", "x", "-1", "9" * 30, "1.5", "{}"])
def test_an_unknown_device_is_refused(alice: User, device: str) -> None:
    assert alices_on(FIREFOX, alice).post(PAGE, {"device": device}).status_code == 400


def test_a_member_cannot_sign_out_another_members_device(alice: User, bob: User) -> None:
    hers, his = alices_on(FIREFOX, alice), signed_in(bob, "battery staple", IPHONE)
    (device,) = shown(hers)
    assert his.post(PAGE, {"device": device.id}).status_code == 404
    assert hers.get("/chat/").status_code == 200


def test_signing_in_too_often_ends_the_oldest_session(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MAX_DEVICES", 2)
    first, second, third = (alices_on(FIREFOX, alice) for _ in range(3))
    assert first.get("/chat/").status_code == 302
    assert second.get("/chat/").status_code == third.get("/chat/").status_code == 200


def test_a_session_under_an_older_secret_key_stays_signed_in(
    alice: User, settings: Settings
) -> None:
    old = alices_on(FIREFOX, alice)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "n" * 50
    new = alices_on(IPHONE, alice)
    assert len(shown(new)) == 2
    assert old.get("/chat/").status_code == 200


def test_signing_out_and_expiry_leave_no_rows(alice: User) -> None:
    alices_on(FIREFOX, alice).post("/accounts/logout/")
    assert not UserSession.objects.exists()
    alices_on(FIREFOX, alice)
    UserSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    expired_sessions.remove_expired()
    assert not UserSession.objects.exists()


def test_devices_are_deleted_with_the_account(alice: User) -> None:
    alices_on(FIREFOX, alice)
    closure.close_account(alice)
    assert not UserSession.objects.exists()


@pytest.fixture
def _asked_again_much_later(settings: Settings) -> None:
    settings.STREAM_REAUTH_SECONDS = 3600


async def code_after_hints(socket: Any) -> int:
    output: dict[str, Any] = {}
    while "code" not in output:
        output = await socket.receive_output(timeout=5)
    return int(output["code"])


@pytest.mark.usefixtures("_asked_again_much_later")
async def test_streams_and_sockets_of_a_signed_out_device_close_at_once(
    alice: User, alice_client: AsyncClient
) -> None:
    other = await sync_to_async(signed_in_client)(alice)
    async with site_with(endless()), listening(alice_client) as hers, listening(other) as lost:
        sent: Any = await send(other, text="Go")
        reader = aiter(sent.streaming_content)
        await anext(reader)
        answer = await alice_client.post(PAGE, {"others": "yes"})
        assert answer.status_code == 302
        stream = await ended(reader)
        assert not stream.done
        generation = registry.find(uuid.UUID(sent["X-Generation-Id"]))
        assert generation
        assert generation.state == "running"
        assert await code_after_hints(lost) == 4401
        told = await hers.receive_output(timeout=5)  # her own page hears of the turn, and stays
        assert told["type"] == "websocket.send"
        assert await hers.receive_nothing(timeout=0.1)


@pytest.mark.usefixtures("_asked_again_much_later")
async def test_other_processes_are_notified(alice: User, alice_client: AsyncClient) -> None:
    """Through the channel layer; with Redis it reaches all processes."""
    async with listening(alice_client) as socket:
        heard = asyncio.create_task(closed_with(socket))
        await UserSession.objects.all().adelete()
        layer: Any = get_channel_layer()
        assert layer
        await notifications.notify_sessions_ended(alice.pk)
        assert await heard == 4401
