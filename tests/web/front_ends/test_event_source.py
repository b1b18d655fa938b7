"""`GET /w/<key>/chat` for EventSource, and its limits."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations.task import registry
from chat.quotas.models import Charge, Limit
from chat.widget_sites import suspension
from chat.widget_sites.models import Visitor, WidgetSite
from tests.support.generations.event_source import begins_and_waits, last_id
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk
from tests.support.upstream.upstream_failures import writes
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import until
from tests.support.web.front_end import FrontEnd, body_of
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import Visiting, site_of

SLOWLY = [chunk(b'data: {"response":"word "}\n\n')] * 400


async def test_the_question_is_the_prompt_parameter_or_the_sites_default(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    async with site_with(SAYS_AYE) as raw:
        stream = await read_stream(await page.get(prompt="Ahoy & ho?"))
        await WidgetSite.objects.aupdate(default_prompt="Say something of boats.")
        assert (await read_stream(await page.get())).done
    assert (stream.text, stream.done) == ("Aye", True)
    asked = [json.loads(each.partition(b"\r\n\r\n")[2])["messages"] for each in raw.requests]
    assert [each[-1]["content"] for each in asked] == ["Ahoy & ho?", "Say something of boats."]


async def test_without_a_question_the_request_is_refused_with_a_message(shop: WidgetSite) -> None:
    for query in ({}, {"prompt": ""}, {"prompt": "  "}, {"other": "x"}):
        refused = await FrontEnd(shop).get(**query)
        assert refused.status_code == 400
        assert refused.json()["error"]["message"].endswith(".")
        assert refused["Access-Control-Allow-Origin"] == "https://www.shop.example"


async def test_a_get_is_counted_like_a_post_and_stores_nothing_else(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    await read_stream(await page.get(prompt="Hello"))
    await read_stream(await page.post())
    first, second = [charge.keys async for charge in Charge.objects.all()]
    assert first == second
    assert f"visitor:{shop.key}:127.0.0.1" in first
    assert not await Visitor.objects.aexists()
    assert not page.client.cookies


async def test_a_broken_connection_resumes(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    async with site_with(writes(EVENT_STREAM, *SLOWLY, every=0.005)) as raw:
        response = await page.get(prompt="Hello")
        body = aiter(response)
        begun = await anext(body) + await anext(body)
        await body.aclose()
        again = await page.fetch("chat", {"prompt": "Hello"}, **{"Last-Event-ID": last_id(begun)})
        (live,) = registry.running()
        reading = asyncio.create_task(body_of(again))
        await until(lambda: len(live.log) >= 30)
        live.stop()
        rest = await reading
    whole = await read_stream(pieces(begun + rest))
    assert whole.text == live.text
    assert [n for n, _ in whole.events()] == list(range(1, len(whole.events()) + 1))
    assert len(raw.requests) == 1


async def pieces(*sent: bytes) -> Any:
    for each in sent:
        yield each


async def test_reconnecting_before_the_first_word_makes_no_second_request(
    shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.generations.delivery.responses.STATUS_WAIT_SECONDS", 0.05)
    page = FrontEnd(shop)
    async with site_with(writes()) as raw:
        body = aiter(await page.get(prompt="Hello"))
        opening = await anext(body)
        await body.aclose()
        again = await page.fetch("chat", {"prompt": "Hello"}, **{"Last-Event-ID": last_id(opening)})
        assert again.status_code == 200
        assert len(registry.running()) == 1
        assert len(raw.requests) <= 1


async def test_a_polyfill_can_send_the_last_event_id_in_the_query(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    sent = await body_of(await page.get(prompt="Hello"))
    second = sent.split(b"id: ")[2].split(b"\n")[0].decode()
    again = await page.get(prompt="Hello", lastEventId=second)
    whole, rest = await read_stream(pieces(sent)), await read_stream(again)
    assert rest.events() == whole.events()[2:]


async def test_after_the_end_the_response_is_204(shop: WidgetSite) -> None:
    page = FrontEnd(shop)
    sent = await body_of(await page.get(prompt="Hello"))
    ended = await page.fetch("chat", {"prompt": "Hello"}, **{"Last-Event-ID": last_id(sent)})
    assert ended.status_code == 204
    assert await Charge.objects.acount() == 1


async def test_an_answer_resumes_from_another_network(shop: WidgetSite, settings: Any) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    sent = await body_of(await FrontEnd(shop, address="10.0.0.1").get(prompt="Hello"))
    first = sent.split(b"id: ")[1].split(b"\n")[0].decode()
    moved = FrontEnd(shop, address="10.9.9.9")
    again = await moved.fetch("chat", {}, **{"Last-Event-ID": first})
    assert (await read_stream(again)).done


async def test_a_forged_or_foreign_event_id_starts_no_answer(
    bob: User, shop: WidgetSite, vera: Visiting
) -> None:
    elsewhere = await site_of(bob, origins=["https://www.bobs.example"])
    sent = await body_of(await FrontEnd(shop).get(prompt="Hello"))
    first = sent.split(b"id: ")[1].split(b"\n")[0].decode()
    forged = f"{'A' if first[0] != 'A' else 'B'}{first[1:]}"
    hers = await vera.post("chat", {"prompt": "Mine"}, Origin="https://www.shop.example")
    veras = (await body_of(hers)).split(b"id: ")[1].split(b"\n")[0].decode()
    page = FrontEnd(shop)
    for text in (forged, "1", "x", f"{first}x", "." * 9, f"{'A' * 36}.1", "é.1", "9" * 5000, veras):
        refused = await page.fetch("chat", {"prompt": "Hello"}, **{"Last-Event-ID": text})
        assert refused.status_code == 204, text
    other = FrontEnd(elsewhere, "https://www.bobs.example")
    refused = await other.fetch("chat", {"prompt": "Hello"}, **{"Last-Event-ID": first})
    assert refused.status_code == 204
    assert await Charge.objects.acount() == 2


@pytest.mark.parametrize(
    "header",
    [
        {"Sec-Purpose": "prefetch"},
        {"Sec-Purpose": "prefetch;prerender"},
        {"Purpose": "prefetch"},
        {"X-Purpose": "preview"},
        {"X-Moz": "prefetch"},
    ],
)
async def test_a_prefetch_starts_no_answer(header: dict[str, str], shop: WidgetSite) -> None:
    for path in ("chat", "chat/text", "chat/html"):
        ahead = await FrontEnd(shop).fetch(path, {"prompt": "Hello"}, **header)
        assert ahead.status_code == 204
        assert ahead["Cache-Control"] == "no-store"
    assert not await Charge.objects.aexists()


async def test_an_unlisted_origin_gets_404(shop: WidgetSite) -> None:
    for origin in ("", "null", "https://evil.example", "https://www.shop.example:444"):
        for path in ("chat", "chat/text", "chat/html"):
            refused = await FrontEnd(shop, origin).get(path, prompt="Hello")
            assert refused.status_code == 404
            assert "Access-Control-Allow-Origin" not in refused
    assert not await Charge.objects.aexists()


async def test_our_own_pages_may_only_fetch_it_by_script(shop: WidgetSite) -> None:
    """Our own pages send no Origin on GET, so links, images and frames are recognised by Sec-Fetch-Mode."""
    ours = {"Sec-Fetch-Site": "same-origin"}
    url = f"/w/{shop.key}/chat?prompt=Hello"
    for mode in ("navigate", "no-cors", "websocket", ""):
        refused = await AsyncClient().get(url, headers={**ours, "Sec-Fetch-Mode": mode})
        assert refused.status_code == 404, mode
    for mode in ("cors", "same-origin"):
        answer = await AsyncClient().get(url, headers={**ours, "Sec-Fetch-Mode": mode})
        assert (await read_stream(answer)).done
    assert (await AsyncClient().head(url, headers=ours)).status_code == 405


@pytest.mark.parametrize("count", [30, pytest.param(1000, marks=pytest.mark.long)])
async def test_concurrent_requests_meet_the_limit_exactly(count: int, shop: WidgetSite) -> None:
    await Limit.objects.acreate(scope="visitor", measure="running", amount=2)
    page = FrontEnd(shop)
    async with site_with(begins_and_waits):
        answers = await asyncio.gather(*(page.get(prompt="Hello") for _ in range(count)))
        assert Counter(each.status_code for each in answers) == {200: 2, 429: count - 2}
        assert await Charge.objects.acount() == 2
        for live in registry.running():
            live.stop()
    refused = next(each for each in answers if each.status_code == 429)
    assert refused["Access-Control-Allow-Origin"] == "https://www.shop.example"
    assert refused.json()["error"]["code"] == "quota_exceeded"


async def test_suspended_and_unknown_sites_get_the_same_response(
    alice: User, shop: WidgetSite
) -> None:
    await sync_to_async(suspension.suspend)(shop, None)
    for path in ("chat", "chat/text", "chat/html", "chat/ui/x/stream"):
        suspended, unknown = await FrontEnd(shop).get(path), await FrontEnd("0" * 24).get(path)
        assert suspended.status_code == unknown.status_code == 404
        assert suspended.content == unknown.content
