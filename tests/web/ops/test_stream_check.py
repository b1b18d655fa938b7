"""The stream that `doctor` times is for its token only, one at a time."""

import time

import msgspec
import pytest
from django.core import signing
from django.test import AsyncClient
from pytest_django import Settings

from chat.lib.sse import SseDecoder
from chat.web.ops import stream_check


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_check, "INTERVAL_SECONDS", 0)
    monkeypatch.setattr(stream_check, "_busy_until", 0.0)


def authorized(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_it_sends_numbered_events_to_the_holder_of_a_token(
    anonymous_client: AsyncClient, settings: Settings
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    headers = {**authorized(stream_check.make_token()), "X-Forwarded-For": "198.51.100.4"}
    response = await anonymous_client.get("/streamz", headers=headers)
    assert response["Content-Type"] == "text/event-stream"
    assert response["Cache-Control"] == "no-cache, no-transform"
    assert response["X-Accel-Buffering"] == "no"
    body = b"".join([part async for part in response])  # type: ignore[attr-defined]
    *events, last = SseDecoder().feed(body)
    assert last.data == stream_check.DONE
    facts = [msgspec.json.decode(each.data) for each in events]
    assert [each["number"] for each in facts] == list(range(stream_check.EVENTS))
    assert facts[0]["client"] == "198.51.100.4"
    assert "client" not in facts[1]


@pytest.mark.parametrize("token", ["", "stream check", "stream check:1:x"])
async def test_strangers_find_nothing(token: str, anonymous_client: AsyncClient) -> None:
    response = await anonymous_client.get("/streamz", headers=authorized(token))
    assert response.status_code == 404


async def test_a_token_expires(
    anonymous_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = stream_check.make_token()
    later = time.time() + stream_check.TOKEN_SECONDS + 1
    monkeypatch.setattr(signing.time, "time", lambda: later)
    response = await anonymous_client.get("/streamz", headers=authorized(token))
    assert response.status_code == 404


async def test_other_signatures_of_the_site_are_no_tokens(anonymous_client: AsyncClient) -> None:
    token = signing.TimestampSigner(salt="other").sign(stream_check.VALUE)
    response = await anonymous_client.get("/streamz", headers=authorized(token))
    assert response.status_code == 404


async def test_a_second_stream_waits_for_the_end_of_the_first(
    anonymous_client: AsyncClient,
) -> None:
    headers = authorized(stream_check.make_token())
    first = await anonymous_client.get("/streamz", headers=headers)
    second = await anonymous_client.get("/streamz", headers=headers)
    assert second.status_code == 503
    assert int(second["Retry-After"]) > 0
    assert [part async for part in first]  # type: ignore[attr-defined]
    third = await anonymous_client.get("/streamz", headers=headers)
    assert third.status_code == 200
    assert [part async for part in third]  # type: ignore[attr-defined]
