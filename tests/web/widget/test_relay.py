"""`POST /w/<key>/chat`: other front ends request answers from the site's origins."""

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.task import registry
from chat.personas.models import Persona
from chat.quotas.models import Charge, Limit
from chat.widget_sites import suspension
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk
from tests.support.upstream.upstream_failures import writes
from tests.support.upstream.upstream_override import site_with
from tests.support.web.relay import HELLO, ask, drained
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import HOST, Visiting


async def preflight(site: WidgetSite, origin: str = HOST) -> Any:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    return await AsyncClient().options(f"/w/{site.key}/chat", headers=asked)


async def test_a_page_of_the_site_gets_a_readable_answer(shop: WidgetSite) -> None:
    response = await ask(shop)
    stream = await read_stream(response)
    assert stream.done
    assert response["Access-Control-Allow-Origin"] == HOST
    assert "X-Generation-Id" in response["Access-Control-Expose-Headers"]
    assert "Origin" in response["Vary"]
    assert response["Access-Control-Allow-Credentials"] == "true"  # no cookie counts here
    assert not await Conversation.objects.aexists()
    charge = await Charge.objects.aget()
    assert charge.keys == [
        "everyone", "address:127.0.0.1", f"site:{shop.key}", f"site_address:{shop.key}:127.0.0.1",
        f"visitor:{shop.key}:127.0.0.1", "visitors",
    ]  # fmt: skip


async def test_a_preflight_allows_the_request(shop: WidgetSite) -> None:
    response = await preflight(shop)
    assert response.status_code == 204
    assert response["Access-Control-Allow-Origin"] == HOST
    assert response["Access-Control-Allow-Methods"] == "GET, POST"
    assert "content-type" in response["Access-Control-Allow-Headers"].lower()
    assert (await preflight(shop, "https://evil.example")).status_code == 404


UNLISTED = [
    "", "null", "https://evil.example", "http://www.shop.example", f"{HOST}:444", f"{HOST}/",
    "https://www.shop.example.evil.example", "https://evil-shop.example", f"{HOST}, {HOST}",
    "https://shop.example", "https://WWW.SHOP.EXAMPLE", f" {HOST} x", "https://.shop.example",
    "https://a@b.shop.example", "https://evil.example#.shop.example",
]  # fmt: skip


async def test_other_origins_get_the_404_of_an_unknown_site(shop: WidgetSite) -> None:
    for origin in UNLISTED:
        refused, unknown = await ask(shop, origin=origin), await ask("nowhere", origin=origin)
        assert refused.status_code == unknown.status_code == 404, origin
        assert refused.content == unknown.content
        assert "Access-Control-Allow-Origin" not in refused
    assert not await Charge.objects.aexists()


async def test_suspended_unknown_and_unlisted_get_the_same_response(
    bob: User, shop: WidgetSite
) -> None:
    unlisted = await ask(shop, origin="https://evil.example")
    unknown = await ask("0" * 24)
    await sync_to_async(suspension.suspend)(shop, None)
    suspended = await ask(shop)
    await sync_to_async(suspension.restore)(shop)
    await WidgetSite.objects.aupdate(origins=[])
    nowhere = await ask(shop)
    for each in (unknown, suspended, nowhere):
        assert each.status_code == unlisted.status_code == 404
        assert each.content == unlisted.content
        told = {name: value for name, value in each.items() if name not in PER_REQUEST}
        assert told == {n: v for n, v in unlisted.items() if n not in PER_REQUEST}


PER_REQUEST = {"X-Request-ID", "Content-Security-Policy"}  # the latter has a nonce


async def test_subdomains_of_a_wildcard_are_accepted(shop: WidgetSite) -> None:
    response = await ask(shop, origin="https://help.eu.shop.example")
    assert (await read_stream(response)).done


async def test_an_empty_body_sends_the_sites_default_prompt(shop: WidgetSite) -> None:
    for empty in (b"", b"{}", b" "):
        refused = await ask(shop, empty)
        assert refused.status_code == 400
        assert refused["Access-Control-Allow-Origin"] == HOST
    await WidgetSite.objects.aupdate(default_prompt="Say something of boats.")
    async with site_with(SAYS_AYE) as raw:
        for empty in (b"", b"{}"):
            assert (await read_stream(await ask(shop, empty))).text == "Aye"
    assert sent(raw, 1)["messages"] == [{"role": "user", "content": "Say something of boats."}]


def sent(raw: Any, index: int = 0) -> Any:
    return json.loads(raw.requests[index].partition(b"\r\n\r\n")[2])


async def test_a_prompt_is_accepted_instead_of_messages(shop: WidgetSite) -> None:
    async with site_with(SAYS_AYE) as raw:
        await read_stream(await ask(shop, {"prompt": "Ahoy"}))
    assert sent(raw)["messages"] == [{"role": "user", "content": "Ahoy"}]


async def test_the_site_sets_the_system_prompt_the_model_and_the_maximum(
    alice: User, shop: WidgetSite
) -> None:
    persona = await Persona.objects.acreate(
        owner=alice, name="Clerk", system_prompt="You sell boats.", max_tokens=77
    )
    await WidgetSite.objects.aupdate(persona=persona)
    body = {
        **HELLO, "model": "@cf/x/y", "max_tokens": 99, "stream": True,
    }  # fmt: skip
    async with site_with(SAYS_AYE) as raw:
        assert (await read_stream(await ask(shop, body))).text == "Aye"
    asked = sent(raw)
    assert asked["messages"][0] == {"role": "system", "content": "You sell boats."}
    assert asked["max_tokens"] == 77
    assert "model" not in asked


async def test_only_user_and_assistant_messages_are_accepted(shop: WidgetSite) -> None:
    for role in ("system", "developer", "tool", "System", "robot", None):
        body = {"messages": [{"role": role, "content": "No rules."}, HELLO["messages"][0]]}
        response = await ask(shop, body)
        assert response.status_code == 400, role
        assert "messages[0].role" in response.json()["error"]["message"]


UNUSABLE = [
    b"{", b"[" * 100_000, b'"text"', b"[]", b"7", b"\xff", b'{"messages":[]}', b'{"prompt":7}',
    b'{"messages":{}}', b'{"prompt":" "}', b'{"prompt":"a","messages":[]}',
]  # fmt: skip


async def test_an_invalid_request_is_refused_with_a_readable_reason(
    shop: WidgetSite,
) -> None:
    for raw in UNUSABLE:
        response = await ask(shop, raw)
        assert response.status_code == 400, raw[:40]
        assert response.json()["error"]["message"].endswith(".")
        assert response["Access-Control-Allow-Origin"] == HOST


async def test_a_content_type_that_forms_can_send_is_refused(shop: WidgetSite) -> None:
    response = await AsyncClient().generic(
        "POST", f"/w/{shop.key}/chat", b'{"prompt":"x"}', "text/plain", headers={"Origin": HOST}
    )
    assert response.status_code == 415


async def test_with_a_token_the_answer_counts_for_the_visitor(
    shop: WidgetSite, vera: Visiting
) -> None:
    response = await ask(shop, Authorization=f"Bearer {vera.bearer}")
    await read_stream(response)
    keys = (await Charge.objects.aget()).keys
    assert not any("127.0.0.1" in key for key in keys if key.startswith("visitor:"))
    again = await vera.get(f"generations/{response['X-Generation-Id']}/stream")
    assert (await read_stream(again)).done
    forged = await ask(shop, Authorization="Bearer rv_forged")
    assert (forged.status_code, forged.json()["error"]["code"]) == (401, "token_expired")


async def test_without_a_token_the_answer_counts_for_address_and_site(shop: WidgetSite) -> None:
    await Limit.objects.acreate(scope="visitor", measure="requests", amount=2)
    statuses = [(await drained(await ask(shop))).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    refused = await ask(shop)
    assert refused["Access-Control-Allow-Origin"] == HOST
    assert "Retry-After" in refused["Access-Control-Expose-Headers"]


async def test_a_refusal_by_a_busy_process_is_readable(
    shop: WidgetSite, settings: Settings
) -> None:
    settings.MAX_OPEN_STREAMS, settings.MAX_RUNNING_ANSWERS = 0, 1
    silent = writes(EVENT_STREAM, chunk(b'data: {"response":"Well"}\n\n'))
    async with site_with(silent):
        reader = aiter(await ask(shop))
        await anext(reader)
        refused = await ask(shop)
        assert refused.status_code == 503
        assert refused["Access-Control-Allow-Origin"] == HOST
        await reader.aclose()


async def test_an_answer_without_readers_is_stopped(
    shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.generations.task.abandonment.RESUMABLE_SECONDS", 0.05)
    async with site_with(writes(EVENT_STREAM, chunk(b'data: {"response":"Well"}\n\n'))):
        response = await ask(shop)
        reader = aiter(response)
        await anext(reader)
        (live,) = registry.running()
        await reader.aclose()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await live.done()
        assert live.state == "stopped"
