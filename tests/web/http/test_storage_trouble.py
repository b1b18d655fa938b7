"""Whatever somebody does while nothing can be stored, they are told so, and may try again."""

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.urls import reverse
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.lib import metrics
from chat.web.api import api_callers
from tests.support.database.database_faults import HOW, NO_WRITES, during
from tests.support.generations.send import key, send
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.web.access_matrix import MATRIX
from tests.support.widget.visitor_client import make_site, visit

pytestmark = pytest.mark.parametrize("how", HOW)
TABLE = {"default": {"BACKEND": "chat.database.table_cache.TableCache", "LOCATION": "chat_cache"}}
WHY = "They ask too often"
NEW = {"email": "new@example.org", "password1": "tide table", "password2": "tide table"}


@pytest.fixture(autouse=True)
def _as_in_production(settings: Settings) -> None:
    settings.CACHES = TABLE
    settings.ACCOUNT_RATE_LIMITS = {}  # allauth's own


def assert_told(response: Any) -> None:
    """Require status 503 with `Retry-After`, in the format that the client reads."""
    assert response.status_code == 503, response.content
    assert int(response["Retry-After"]) > 0
    if response["Content-Type"].startswith("text/html"):
        assert "right now" in response.content.decode()
        return
    error = response.json()["error"]
    assert error["code"] == "database_unavailable", error
    assert error["retryable"]


async def form(client: AsyncClient, path: str, **fields: str) -> Any:
    return await client.post(path, fields, headers={"Accept": "text/html"})


async def test_a_message(how: str, alice_client: AsyncClient) -> None:
    async with during(NO_WRITES[how]()):
        assert_told(await send(alice_client, text="Keep me"))
    assert not await Message.objects.aexists()


async def test_a_temporary_message(how: str, alice_client: AsyncClient) -> None:
    body = {"messages": [{"role": "user", "content": "Hi"}]}
    async with during(NO_WRITES[how]()):
        response = await alice_client.post(
            "/chat/stream", body, content_type="application/json", headers=SAME_ORIGIN
        )
    assert_told(response)


async def test_signing_in(how: str, alice: User, anonymous_client: AsyncClient) -> None:
    fields = {"login": alice.email, "password": "correct horse"}
    async with during(NO_WRITES[how]()):
        assert_told(await form(anonymous_client, "/accounts/login/", **fields))
    assert (await form(anonymous_client, "/accounts/login/", **fields)).status_code == 302


async def test_signing_up(how: str, anonymous_client: AsyncClient) -> None:
    async with during(NO_WRITES[how]()):
        assert_told(await form(anonymous_client, "/accounts/signup/", **NEW))
    assert (await form(anonymous_client, "/accounts/signup/", **NEW)).status_code == 302


async def test_resetting_a_password(how: str, alice: User, anonymous_client: AsyncClient) -> None:
    async with during(NO_WRITES[how]()):
        response = await form(anonymous_client, "/accounts/password/reset/", email=alice.email)
    assert_told(response)


async def test_changing_something_in_the_admin(
    how: str, rita: User, rita_client: AsyncClient
) -> None:
    rita.is_superuser = True
    await rita.asave()
    path = reverse("admin:chat_limit_add")
    fields = {"scope": "everyone", "measure": "tokens", "amount": "5", "reason": WHY}
    async with during(NO_WRITES[how]()):
        assert_told(await form(rita_client, path, **fields))


async def test_a_visitor(how: str, alice: User, stop_server_process: None) -> None:
    shop = await sync_to_async(make_site)(alice)
    vera = await visit(shop)
    async with during(NO_WRITES[how]()):
        assert_told(await vera.send())
        begun = await vera.client.post(f"/w/{shop.key}/session", headers=SAME_ORIGIN)
        assert_told(begun)


async def test_no_form_is_refused_for_another_reason(
    how: str, alice: User, alice_client: AsyncClient, anonymous_client: AsyncClient
) -> None:
    sent = await send(alice_client, text="Hello", key=key())
    await read_stream(sent)
    chat = await Conversation.objects.aget()
    wrong = []
    for who in (alice_client, anonymous_client):
        who.raise_request_exception = False  # some fail before views, in middleware
    async with during(NO_WRITES[how]()):
        for route, (_got, posted) in MATRIX.items():
            if route.startswith("review/"):
                continue
            path = "/" + route.replace("{conversation}", str(chat.pk))
            path = path.replace("{message}", sent["X-Message-Id"])
            path = re.sub(r"\{[^}]*\}", "1", path.replace("{generation}", sent["X-Generation-Id"]))
            api_callers.wrong_keys.clear()  # an address may send twenty in a minute
            for who, usual in ((anonymous_client, posted[0]), (alice_client, posted[1])):
                form = {"last": sent["X-Message-Id"]} if "sharing" in path else {}
                status = (await who.post(path, form)).status_code
                if status not in {usual, 503, 404}:
                    wrong.append((path, status, usual))
    assert wrong == []


def counted(cause: str) -> float:
    return (
        metrics.registry.get_sample_value("runnel_database_errors_total", {"cause": cause}) or 0.0
    )


async def test_it_is_counted_by_its_cause(how: str, alice_client: AsyncClient) -> None:
    cause = {"read-only": "read_only", "locked": "busy"}[how]
    before = counted(cause)
    async with during(NO_WRITES[how]()):
        await send(alice_client, text="Keep me")
    assert counted(cause) > before
