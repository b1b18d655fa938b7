"""Open pages are notified of the member's own changes elsewhere, and of nobody else's."""

import asyncio
import json
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.generations.delivery import notifications
from chat.generations.process import server_process
from chat.web.chat import socket_routes
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.quotas.usage_settings import USAGE
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import until
from tests.support.web.notifications_client import closed_with, listening


async def heard(socket: WebsocketCommunicator) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(await socket.receive_from(timeout=PATIENCE_SECONDS))
    return told


async def test_a_new_turn_and_the_end_of_its_answer_are_notified(alice_client: AsyncClient) -> None:
    async with listening(alice_client) as socket, site_with(always(stream_of(USAGE, DONE))):
        response = await send(alice_client, text="Hello")
        await read_stream(response)
        told = [await heard(socket), await heard(socket)]
    assert [each["kind"] for each in told] == ["turn", "answer"]
    assert {each["conversation"] for each in told} == {response["X-Conversation-Id"]}


async def test_a_notification_names_the_tab_that_sent_the_message(
    alice_client: AsyncClient,
) -> None:
    async with listening(alice_client) as socket, site_with(always(stream_of(USAGE, DONE))):
        body = {"key": "0123456789abcdef", "text": "Hello"}
        headers = {"X-Tab": "tab-number-one"}
        await read_stream(
            await alice_client.post(
                "/chat/messages", body, content_type="application/json", headers=headers
            )
        )
        assert (await heard(socket))["tab"] == "tab-number-one"


async def test_renaming_and_deleting_are_notified(alice_client: AsyncClient) -> None:
    async with site_with(always(stream_of(USAGE, DONE))):
        response = await send(alice_client, text="Hello")
        await read_stream(response)
    place = f"/chat/{response['X-Conversation-Id']}"
    async with listening(alice_client) as socket:
        await alice_client.post(f"{place}/title/", {"title": "Greetings"})
        assert (await heard(socket))["kind"] == "list"
        await alice_client.post(f"{place}/deletion/")
        assert (await heard(socket))["kind"] == "list"


async def test_other_members_changes_are_not_notified(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    async with listening(bob_client) as socket, site_with(always(stream_of(USAGE, DONE))):
        await read_stream(await send(alice_client, text="Hello"))
        assert await socket.receive_nothing(timeout=0.3)


async def test_a_cookie_that_can_be_no_key_is_told_to_sign_in(
    anonymous_client: AsyncClient,
) -> None:
    cookie = r'sessionid="\000\000\000\000\000\000\000\000"'
    async with listening(anonymous_client, cookie=cookie) as socket:
        assert await closed_with(socket) == 4401


async def test_a_signed_out_page_is_told_so(anonymous_client: AsyncClient) -> None:
    async with listening(anonymous_client) as socket:
        assert await closed_with(socket) == 4401


@pytest.mark.parametrize("how", ["disabled", "signed out"])
async def test_a_page_that_loses_access_gets_no_more_notifications(
    how: str, alice_client: AsyncClient, alice: User
) -> None:
    async with listening(alice_client) as socket:
        if how == "disabled":
            await User.objects.filter(pk=alice.pk).aupdate(is_active=False)
        else:
            await UserSession.objects.all().adelete()
        await server_process.current().subscribers.recheck()
        assert await closed_with(socket) == 4401


async def test_a_message_from_the_page_closes_the_socket(alice_client: AsyncClient) -> None:
    async with listening(alice_client) as socket:
        await socket.send_to(text_data="x" * 1000)
        assert await closed_with(socket) == 1008


OTHERS = (
    "https://evil.example", "http://localhost:9999", "https://localhost", "http://localhost:443",
    "http://sub.localhost", "http://localhost.", "http://localhost/", "ws://localhost", "localhost",
    "http://LOCALHOST", "http://127.0.0.1", "null", "",
)  # fmt: skip


@pytest.mark.parametrize("origin", OTHERS)
async def test_another_origin_is_refused(origin: str, alice_client: AsyncClient) -> None:
    with pytest.raises(AssertionError):
        async with listening(alice_client, origin=origin):
            pass


async def test_two_origin_headers_are_refused(alice_client: AsyncClient) -> None:
    headers = [(b"host", b"localhost"), *[(b"origin", b"http://localhost")] * 2]
    socket = WebsocketCommunicator(
        socket_routes.application, "/chat/notifications", headers=headers
    )
    accepted, _ = await socket.connect()
    assert not accepted


OWN = (
    ("localhost:8000", "http://localhost:8000"), ("LOCALHOST:80", "http://localhost"),
    ("[::1]:8000", "http://[::1]:8000"), ("chat.internal", "https://chat.example.org:8443"),  # behind a proxy
    ("chat.example.org", "https://chat.example.org"),
)  # fmt: skip


@pytest.mark.parametrize(("host", "origin"), OWN)
async def test_a_page_of_the_site_is_accepted(
    host: str, origin: str, alice_client: AsyncClient, settings: Settings
) -> None:
    if origin.startswith("https"):
        settings.SITE_URL, settings.ALLOWED_HOSTS = (
            "https://chat.example.org:8443",
            ["chat.example.org"],
        )
    async with listening(alice_client, host=host, origin=origin) as socket:
        assert await socket.receive_nothing(timeout=0.01)


async def test_an_unknown_host_is_refused(alice_client: AsyncClient) -> None:
    with pytest.raises(AssertionError):
        async with listening(alice_client, host="evil.example", origin="http://evil.example"):
            pass


async def test_an_unknown_path_is_refused(alice_client: AsyncClient) -> None:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    socket = WebsocketCommunicator(socket_routes.application, "/elsewhere", headers=headers)
    accepted, _ = await socket.connect()
    assert not accepted


async def test_at_shutdown_pages_are_told_to_reconnect(alice_client: AsyncClient) -> None:
    async with listening(alice_client) as socket:
        server_process.current().close_streams()
        assert await closed_with(socket) == 1001


async def test_a_lost_notification_does_not_break_the_answer(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        async def group_send(self, group: str, message: object) -> None:
            raise ConnectionError("no broker")

    monkeypatch.setattr(notifications, "get_channel_layer", Broken)
    async with site_with(always(stream_of(USAGE, DONE))):
        stream = await read_stream(await send(alice_client, text="Hello"))
    assert stream.done


async def test_a_broker_that_does_not_respond_delays_nothing(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent:
        async def group_send(self, group: str, message: object) -> None:
            await asyncio.sleep(60)

    monkeypatch.setattr(notifications, "get_channel_layer", Silent)
    monkeypatch.setattr(notifications, "SEND_TIMEOUT_SECONDS", 0.05)
    async with site_with(always(stream_of(USAGE, DONE))):
        stream = await read_stream(await send(alice_client, text="Hello"))
    assert stream.done
    await until(lambda: notifications._tasks.are_done)
