"""The stream that `doctor` times is for its token only, one at a time."""

import time

import msgspec
import pytest
from django.core import signing
from django.test import AsyncClient, Client
from pytest_django import Settings

from chat.lib.limits import Deadlines
from chat.lib.sse import SseDecoder
from chat.web.ops import stream_check


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_check, "INTERVAL_SECONDS", 0)
    monkeypatch.setattr(stream_check, "_busy", Deadlines())


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


@pytest.mark.django_db
def test_the_command_learns_which_host_a_proxy_sends(client: Client) -> None:
    headers = {"Host": "internal.example", stream_check.SECOND_HEADER: stream_check.make_token()}
    response = client.get("/streamz?check=arrival", headers=headers)
    assert response.json()["host"] == "internal.example"
    assert response.json()["headers"]["Authorization"] == ""
    assert response["X-Doctor"] == "yes"
    del headers[stream_check.SECOND_HEADER]
    refused = client.get("/streamz?check=arrival", headers=headers)
    assert refused.status_code == 404
    assert "X-Doctor" not in refused


@pytest.mark.django_db
def test_the_command_learns_how_much_of_a_body_arrives() -> None:
    strict = Client(enforce_csrf_checks=True)
    headers = {"Authorization": f"Bearer {stream_check.make_token()}"}
    response = strict.post("/streamz", b"x" * 70_000, "application/octet-stream", headers=headers)
    assert response.json()["body_bytes"] == 70_000
    refused = strict.post("/streamz", b"x", "application/octet-stream")
    assert refused.status_code == 404


async def test_a_silent_stream_is_silent_for_longer_than_an_answer(
    anonymous_client: AsyncClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stream_check.silence_seconds() > settings.HEARTBEAT_SECONDS
    monkeypatch.setattr(stream_check, "silence_seconds", lambda: 0.0)
    headers = {"Authorization": f"Bearer {stream_check.make_token()}"}
    response = await anonymous_client.get("/streamz?check=silence", headers=headers)
    body = b"".join([part async for part in response])  # type: ignore[attr-defined]
    assert body.count(b"data: ") == 2
    assert body.endswith(b"data: [DONE]\n\n")
