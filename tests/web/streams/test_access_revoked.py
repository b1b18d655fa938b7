"""Losing the right to read closes open streams, WebSockets and downloads.

Nothing here asks for the check: the process makes it every STREAM_REAUTH_SECONDS.
"""

import asyncio
import re
import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.db import transaction
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import closure, suspension
from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.generations.process import server_process
from chat.generations.task import registry
from chat.web.http.files.downloads import DownloadBroken
from tests.import_export.trees import new_conversation
from tests.support.generations.follow import endless, follow
from tests.support.generations.send import send
from tests.support.generations.stream_end import ended
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.upstream_override import site_with
from tests.support.web.notifications_client import closed_with, listening
from tests.support.web.signed_in import signed_in, signed_in_client

Lose = Callable[[User], None]
NEW = {"password1": "another horse 7", "password2": "another horse 7"}


def change_password(alice: User) -> None:
    """Change the password on another device."""
    sent = {"oldpassword": "correct horse", **NEW}
    answer = signed_in(alice).post("/accounts/password/change/", sent)
    assert answer.status_code == 302


def reset_password(alice: User) -> None:
    """Reset the password by a mailed link, without being signed in."""
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": alice.email})
    found = re.search(r"http://\S+?(/accounts/password/reset/key/\S+)", str(mail.outbox[-1].body))
    assert found
    form = browser.get(found[1], follow=True)
    assert browser.post(form.request["PATH_INFO"], NEW).status_code == 302


def operator_sets_password(alice: User) -> None:
    """Set the password like `manage.py changepassword`."""
    alice.set_password("another horse 7")
    alice.save()


def leave(alice: User) -> None:
    with transaction.atomic():
        closure.close_account(alice)


def expire(alice: User) -> None:
    UserSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


WAYS: dict[str, Lose] = {
    "changes the password": change_password,
    "resets the password": reset_password,
    "has a password set by the operator": operator_sets_password,
    "is deactivated": lambda alice: _update(alice, is_active=False),
    "is suspended": lambda alice: _done(suspension.suspend(alice, None)),
    "has sessions ended by the staff": suspension.end_sessions,
    "signs out": lambda alice: _done(UserSession.objects.all().delete()[0]),
    "stays away until the session expires": expire,
    "deletes the account": leave,
    "is removed": lambda alice: _done(alice.delete()[0]),
}


def _update(alice: User, **fields: Any) -> None:
    assert User.objects.filter(pk=alice.pk).update(**fields)


def _done(count: Any) -> None:
    assert count


@pytest.fixture(autouse=True)
def _asked_again_soon(settings: Settings) -> None:
    settings.STREAM_REAUTH_SECONDS = 0.1


@pytest.fixture(params=WAYS, ids=lambda way: way.replace(" ", "_"))
def lose(request: pytest.FixtureRequest) -> Callable[[User], Awaitable[None]]:
    return sync_to_async(WAYS[request.param])


async def test_a_socket_closes_when_access_is_lost(
    lose: Any, alice: User, alice_client: AsyncClient
) -> None:
    async with listening(alice_client) as socket:
        await lose(alice)
        code = None
        async with asyncio.timeout(PATIENCE_SECONDS):
            while code is None:
                output = await socket.receive_output(timeout=PATIENCE_SECONDS)
                code = output.get("code")
    assert code == 4401


@pytest.mark.every_variant
async def test_a_stream_ends_when_access_is_lost(
    lose: Any, alice: User, alice_client: AsyncClient
) -> None:
    async with site_with(endless()):
        sent: Any = await send(alice_client, text="Go")
        reader = aiter(sent.streaming_content)
        await anext(reader)
        await lose(alice)
        stream = await ended(reader)
        generation = registry.find(uuid.UUID(sent["X-Generation-Id"]))
        assert generation
        if await User.objects.filter(pk=alice.pk).aexists():  # else it was deleted with her
            assert generation.state == "running"  # so it ended for the reader only
    assert not stream.done


async def test_a_stream_from_another_process_ends_when_access_is_lost(
    lose: Any, alice: User, alice_client: AsyncClient
) -> None:
    async with site_with(endless()):
        sent: Any = await send(alice_client, text="Go")
        generation_id = uuid.UUID(sent["X-Generation-Id"])
        entry = registry._entries.pop(generation_id)  # as if another process ran it
        response = await follow(alice_client, str(generation_id))
        reader = aiter(response.streaming_content)
        await anext(reader)
        await lose(alice)
        stream = await ended(reader)
        registry._entries[generation_id] = entry
        await sent.streaming_content.aclose()
    assert not stream.done


async def test_other_members_and_new_sessions_are_not_affected(
    alice: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    async with listening(alice_client) as hers, listening(bob_client) as his:
        await sync_to_async(change_password)(alice)
        assert await closed_with(hers) == 4401
        new = await sync_to_async(lambda: signed_in_client(User.objects.get(pk=alice.pk)))()
        async with listening(new) as again:
            for _ in range(3):
                await server_process.current().subscribers.recheck()
            assert await his.receive_nothing(timeout=0.1)
            assert await again.receive_nothing(timeout=0.1)


async def test_a_session_under_an_older_secret_key_stays_valid(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "n" * 50
    async with listening(alice_client) as socket:
        await server_process.current().subscribers.recheck()
        assert await socket.receive_nothing(timeout=0.1)
    assert await UserSession.objects.acount() == 1  # a socket cannot bring a browser a new cookie


async def test_a_download_is_aborted(alice: User, alice_client: AsyncClient) -> None:
    await sync_to_async(new_conversation)(alice)
    response: Any = await alice_client.get("/settings/export.zip")
    pieces = aiter(response.streaming_content)
    await anext(pieces)
    await sync_to_async(change_password)(alice)
    await server_process.current().subscribers.recheck()
    with pytest.raises(DownloadBroken):
        async for _ in pieces:
            pass


async def test_a_download_is_not_closed_by_many_streams(
    alice: User, alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_STREAMS_PER_PERSON = 1
    await sync_to_async(new_conversation)(alice)
    response: Any = await alice_client.get("/settings/export.zip")
    pieces = aiter(response.streaming_content)
    whole = await anext(pieces)
    async with listening(alice_client), listening(alice_client):
        whole += b"".join([piece async for piece in pieces])
    assert b"PK\x05\x06" in whole  # the directory at its end
