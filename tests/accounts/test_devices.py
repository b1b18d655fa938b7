"""Devices: where a member is signed in, and signing one out with all that is open there."""

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

from chat.accounts import account_closure
from chat.accounts.models import User
from chat.accounts.sessions import devices, expired_sessions
from chat.accounts.sessions.session_store import UserSession
from chat.generations.delivery import notifications
from chat.generations.task import registry
from tests.conftest import signed_in_client
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_end import ended
from tests.support.upstream.upstream_override import site_with
from tests.support.web.notifications_client import closed_with, listening

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)
PAGE = "/settings/devices/"


def signed_in(user: User, password: str, user_agent: str) -> Client:
    """By the page for it, with a browser of its own."""
    browser = Client(headers={"User-Agent": user_agent})
    sent = {"login": user.email, "password": password}
    assert browser.post("/accounts/login/", sent).status_code == 302
    return browser


def alices_on(user_agent: str, alice: User) -> Client:
    return signed_in(alice, "correct horse", user_agent)


def shown(browser: Client) -> list[devices.Device]:
    found: list[devices.Device] = browser.get(PAGE).context["devices"]
    return found


def test_each_is_listed_with_its_browser_and_this_one_first(alice: User, bob: User) -> None:
    firefox, iphone = alices_on(FIREFOX, alice), alices_on(IPHONE, alice)
    signed_in(bob, "battery staple", FIREFOX)
    listed = [(each.browser, each.is_this) for each in shown(firefox)]
    assert listed == [("Firefox on Windows", True), ("Safari on iPhone", False)]
    assert [each.is_this for each in shown(iphone)] == [True, False]
    assert iphone.get(PAGE).content.decode().count("This device") == 1


def test_the_last_request_is_told(alice: User) -> None:
    firefox, iphone = alices_on(FIREFOX, alice), alices_on(IPHONE, alice)
    devices.store_seen()
    long_ago = timezone.now() - timedelta(days=3)
    UserSession.objects.update(last_seen_at=long_ago)
    iphone.get("/chat/")
    (other,) = [each for each in shown(firefox) if not each.is_this]
    assert other.last_seen > long_ago + timedelta(days=2)


def test_requests_are_written_together_later(alice: User, django_assert_num_queries: Any) -> None:
    for browser in (alices_on(FIREFOX, alice), alices_on(IPHONE, alice)):
        browser.get("/chat/")
    with django_assert_num_queries(2):
        devices.store_seen()
    with django_assert_num_queries(0):
        devices.store_seen()


def test_a_session_that_got_a_new_key_knows_its_browser_after_a_request(alice: User) -> None:
    browser = alices_on(FIREFOX, alice)
    session = browser.session
    session.cycle_key()
    session.save()
    browser.cookies["sessionid"] = session.session_key
    assert [each.browser for each in shown(browser)] == ["Firefox on Windows"]


def test_one_is_signed_out(alice: User) -> None:
    firefox, iphone = alices_on(FIREFOX, alice), alices_on(IPHONE, alice)
    (other,) = [each for each in shown(firefox) if not each.is_this]
    answer = firefox.post(PAGE, {"device": other.id}, follow=True)
    assert "Device signed out." in answer.content.decode()
    assert iphone.get("/chat/").status_code == 302
    assert firefox.get("/chat/").status_code == 200
    assert len(shown(firefox)) == 1


def test_all_others_are_signed_out(alice: User, bob: User) -> None:
    mine, others = alices_on(FIREFOX, alice), [alices_on(IPHONE, alice) for _ in range(3)]
    bob_client = signed_in(bob, "battery staple", FIREFOX)
    mine.post(PAGE, {"others": "yes"})
    assert {each.get("/chat/").status_code for each in others} == {302}
    assert mine.get("/chat/").status_code == bob_client.get("/chat/").status_code == 200


@pytest.mark.parametrize("device", ["", "x", "-1", "9" * 30, "1.5", "{}"])
def test_what_names_no_device_is_refused(alice: User, device: str) -> None:
    assert alices_on(FIREFOX, alice).post(PAGE, {"device": device}).status_code == 400


def test_nobody_signs_out_a_device_of_somebody_else(alice: User, bob: User) -> None:
    hers, his = alices_on(FIREFOX, alice), signed_in(bob, "battery staple", IPHONE)
    (device,) = shown(hers)
    assert his.post(PAGE, {"device": device.id}).status_code == 404
    assert hers.get("/chat/").status_code == 200


def test_whoever_signs_in_without_end_loses_the_oldest(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MAX_DEVICES", 2)
    first, second, third = (alices_on(FIREFOX, alice) for _ in range(3))
    assert first.get("/chat/").status_code == 302
    assert second.get("/chat/").status_code == third.get("/chat/").status_code == 200


def test_a_session_from_under_an_older_secret_key_stays_signed_in(
    alice: User, settings: Settings
) -> None:
    old = alices_on(FIREFOX, alice)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "n" * 50
    new = alices_on(IPHONE, alice)
    assert len(shown(new)) == 2
    assert old.get("/chat/").status_code == 200


def test_signing_out_and_expiring_leave_no_rows(alice: User) -> None:
    alices_on(FIREFOX, alice).post("/accounts/logout/")
    assert not UserSession.objects.exists()
    alices_on(FIREFOX, alice)
    UserSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    expired_sessions.remove_expired()
    assert not UserSession.objects.exists()


def test_they_go_with_the_account(alice: User) -> None:
    alices_on(FIREFOX, alice)
    account_closure.close_account(alice)
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
async def test_sockets_and_streams_of_a_device_end_at_once(
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
async def test_other_processes_hear_of_it(alice: User, alice_client: AsyncClient) -> None:
    """Over the channel layer, which with Redis reaches all of them."""
    async with listening(alice_client) as socket:
        heard = asyncio.create_task(closed_with(socket))
        await UserSession.objects.all().adelete()
        layer: Any = get_channel_layer()
        assert layer
        await notifications.notify_sessions_ended(alice.pk)
        assert await heard == 4401
