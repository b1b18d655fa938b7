"""With a challenge service, new visitors first show that they are human."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.test import AsyncClient, override_settings

from chat.web.http import human_challenge
from chat.widget_sites.models import Visitor, WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.upstream.raw_upstream import Handler, RawUpstream, always, plain, raw_upstream
from tests.support.widget.visitor_client import HOST, Visiting

YES, NO = plain(200, b'{"success":true}'), plain(200, b'{"success":false,"error-codes":["x"]}')


@asynccontextmanager
async def service(handler: Handler) -> AsyncIterator[RawUpstream]:
    async with raw_upstream(handler) as raw:
        with override_settings(
            CHALLENGE_URL=raw.url,
            CHALLENGE_SECRET="our secret",
            CHALLENGE_SCRIPT="https://challenges.example/api.js",
            CHALLENGE_SITE_KEY="public key",
        ):
            yield raw


async def come(site: WidgetSite, **body: Any) -> Any:
    return await AsyncClient().post(
        f"/w/{site.key}/session", body, "application/json", headers=SAME_ORIGIN
    )


async def ask(site: WidgetSite, **headers: str) -> Any:
    return await AsyncClient().post(
        f"/w/{site.key}/chat",
        {"prompt": "Hi"},
        "application/json",
        headers={"Origin": HOST, **headers},
    )


async def test_a_visitor_who_passes_is_not_challenged_again(shop: WidgetSite) -> None:
    async with service(always(YES)) as raw:
        visitor = Visiting(shop)
        response = await come(shop, challenge="passed")
        visitor.take(response)
        assert response.status_code == 200
        assert (await visitor.begin()).status_code == 200
        (asked,) = raw.requests
    form = parse_qs(asked.partition(b"\r\n\r\n")[2].decode())
    assert form == {"secret": ["our secret"], "response": ["passed"]}


async def test_a_visitor_who_does_not_pass_is_refused(shop: WidgetSite) -> None:
    async with service(always(NO)) as raw:
        for body in ({}, {"challenge": ""}, {"challenge": "x" * 2049}):
            refused = await come(shop, **body)
            assert refused.json()["error"]["code"] == "challenge_required"
        assert not raw.requests
        assert (await come(shop, challenge="made up")).status_code == 403
        assert (await come(shop, challenge=7)).status_code == 400
    assert not await Visitor.objects.aexists()


async def test_other_front_ends_send_the_challenge_with_each_question(
    shop: WidgetSite, vera: Visiting
) -> None:
    async with service(always(YES)):
        refused = await ask(shop)
        assert (refused.status_code, refused["Access-Control-Allow-Origin"]) == (403, HOST)
        assert (await read_stream(await ask(shop, **{"X-Challenge": "passed"}))).done
        assert (await read_stream(await ask(shop, Authorization=f"Bearer {vera.bearer}"))).done


async def test_a_failing_challenge_service_refuses_new_visitors_and_says_so(
    shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*_: Any) -> None:
        return

    answers = [plain(500, b""), plain(200, b"<html>"), plain(302, b"", extra="Location: /\r\n")]
    for handler in (*map(always, answers), silent):
        async with service(handler):
            with monkeypatch.context() as impatient:
                if handler is silent:
                    impatient.setattr(human_challenge, "WAIT_SECONDS", 0.3)
                refused = await come(shop, challenge="passed")
            assert refused.status_code == 503
            assert json.loads(refused.content)["error"]["retryable"] is True
            assert refused["Retry-After"] == "5"
    with override_settings(CHALLENGE_URL="http://127.0.0.1:9", CHALLENGE_SECRET="x"):
        assert (await come(shop, challenge="passed")).status_code == 503
    for odd in (b"[]", b'"yes"', b'{"success":"true"}', b'{"success":1}', b"null"):
        async with service(always(plain(200, odd))):
            assert (await come(shop, challenge="passed")).status_code == 403


async def test_the_services_script_is_allowed_on_the_challenge_page_only(shop: WidgetSite) -> None:
    async def policy_of(path: str) -> str:
        response = await AsyncClient().get(f"/w/{shop.key}/{path}")
        assert response.status_code == 200
        assert "X-Frame-Options" not in response
        assert f"frame-ancestors 'self' {HOST}" in response["Content-Security-Policy"]
        return str(response["Content-Security-Policy"])

    assert (await AsyncClient().get(f"/w/{shop.key}/challenge")).status_code == 404
    async with service(always(YES)):
        frame, challenge = await policy_of(""), await policy_of("challenge")
    assert "require-trusted-types-for" in frame
    assert "challenges.example" not in frame
    assert "frame-src https://challenges.example;" in challenge + ";"
    assert "unsafe" not in challenge
