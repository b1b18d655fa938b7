"""Invalid input to the relay gets a clear message and the right status."""

import asyncio
import json
from typing import Any
from uuid import UUID

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from tests.support.generations.send import send
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.raw_upstream import (
    EVENT_STREAM,
    Handler,
    always,
    chunk,
    plain,
    stream_of,
)
from tests.support.upstream.upstream_failures import envelope, writes
from tests.support.upstream.upstream_override import IMPATIENT, IMPATIENT_LATER, ask, site_with

HELLO = {"messages": [{"role": "user", "content": "Hello"}]}


async def post(client: AsyncClient, raw: bytes) -> Any:
    return await client.generic(
        "POST", "/chat/stream", raw, "application/json", headers=SAME_ORIGIN
    )


def error_of(response: Any) -> dict[str, Any]:
    assert response["Content-Type"] == "application/json"
    error: dict[str, Any] = json.loads(response.content)["error"]
    assert set(error) == {"code", "message", "retryable"}
    assert error["message"].endswith(".")
    assert "Traceback" not in response.content.decode()
    return error


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b" ", "isn't valid JSON"),
        (b"{", "isn't valid JSON"),
        pytest.param(b"[" * 200_000, "nested", id="lists without end"),
        pytest.param(b'{"user":' + b"[" * 200_000, "nested", id="lists without end, inside"),
        pytest.param(b'{"x":' + b"[" * 200_000, "nested", id="lists without end, unknown"),
        pytest.param(b'{"' + b"x" * 9_000 + b'":1}', "x" * 60 + ": ", id="a long name"),
        (b'"text"', "object"),
        (b"{}", "either messages or a prompt"),
        (b'{"prompt":"a","messages":[{"role":"user","content":"b"}]}', "either"),
        (b'{"messages":[]}', "messages"),
        (b'{"messages":[{"role":"user","content":"  "}]}', "no message"),
        (b'{"messages":[{"role":"robot","content":"x"}]}', "messages[0].role"),
        (b'{"messages":[{"role":"user","content":7}]}', "messages[0].content"),
        (b'{"messages":{"0":"x"}}', "messages"),
        (b'{"prompt":"x","temperature":9}', "temperature"),
        (b'{"prompt":"x","top_p":0}', "top_p"),
        (b'{"prompt":"x","seed":0}', "seed"),
        (b'{"prompt":"x","max_tokens":0}', "max_tokens"),
        (b'{"prompt":"x","max_tokens":1e99}', "max_tokens"),
        (b'{"prompt":"x","temperature":NaN}', "isn't valid JSON"),
        (b'{"prompt":"\xff\xfe"}', "UTF-8"),
        (b'{"prompt":"x","model":"@cf/nobody/knows"}', "model"),
    ],
)
async def test_an_invalid_request_is_refused_with_the_reason(
    raw: bytes, words: str, alice_client: AsyncClient
) -> None:
    response = await post(alice_client, raw)
    assert response.status_code == 400
    assert words in error_of(response)["message"]


async def test_a_message_that_fits_no_model_is_too_long(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MESSAGE_CHARS = 3_000_000
    response = await ask(alice_client, {"prompt": "x" * 2_000_000})
    assert response.status_code == 413
    assert error_of(response)["code"] == "prompt_too_long"


@pytest.mark.parametrize("text", ["nul \0 here", "half \ud83d here", "\udc00", "ok 🌊"])
async def test_characters_that_cannot_be_stored_are_replaced(
    text: str, alice_client: AsyncClient
) -> None:
    done = always(stream_of(b'data: {"response":"ok"}\n\n', b"data: [DONE]\n\n"))
    async with site_with(done) as raw:
        response = await post(alice_client, json.dumps({"prompt": "say " + text}).encode())
        assert (await read_stream(response)).text == "ok"
    sent = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])
    assert sent["messages"][0]["content"].startswith("say ")
    assert "\0" not in sent["messages"][0]["content"]


async def test_a_signed_out_request_gets_401(anonymous_client: AsyncClient) -> None:
    response = await ask(anonymous_client, HELLO)
    assert response.status_code == 401
    assert error_of(response)["code"] == "not_authenticated"


async def test_other_methods_are_not_allowed(alice_client: AsyncClient) -> None:
    assert (await alice_client.get("/chat/stream")).status_code == 405


@pytest.mark.parametrize(
    ("headers", "content_type", "status"),
    [
        ({}, "application/json", 403),
        ({"Sec-Fetch-Site": "cross-site"}, "application/json", 403),
        ({"Sec-Fetch-Site": "same-site"}, "application/json", 403),
        ({"Origin": "http://evil.example"}, "application/json", 403),
        ({"Origin": "http://testserver:81"}, "application/json", 403),
        ({"Origin": "null"}, "application/json", 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://evil"}, "text/event-stream", 403),
        ({"Sec-Fetch-Site": "same-origin"}, "text/plain", 415),
        ({"Sec-Fetch-Site": "same-origin"}, "application/x-www-form-urlencoded", 415),
        ({"Sec-Fetch-Site": "same-origin"}, "", 415),
        ({"Origin": "http://testserver"}, "application/json; charset=utf-8", 200),
    ],
)
async def test_only_pages_of_this_site_are_allowed(
    headers: dict[str, str], content_type: str, status: int, alice_client: AsyncClient
) -> None:
    response = await alice_client.generic(
        "POST", "/chat/stream", json.dumps(HELLO).encode(), content_type, headers=headers
    )
    assert response.status_code == status
    if status == 200:
        await read_stream(response)


@pytest.mark.parametrize(
    ("handler", "status", "code"),
    [
        (always(plain(401, envelope(10000))), 502, "upstream_not_configured"),
        (always(plain(429, envelope(4006))), 503, "allocation_exhausted"),
        (always(plain(429, envelope(3040))), 503, "out_of_capacity"),
        (always(plain(500, envelope(8005))), 502, "upstream_error"),
        (always(plain(502, b"<html>", "text/html")), 502, "upstream_error"),
        (always(plain(200, b"<html>", "text/html")), 502, "upstream_disconnected"),
        (writes(EVENT_STREAM, then_close=True), 502, "upstream_disconnected"),
        (writes(EVENT_STREAM, b"zz\r\nillegal"), 502, "upstream_disconnected"),
    ],
)
async def test_a_provider_error_before_the_first_word_sets_the_status(
    handler: Handler, status: int, code: str, alice_client: AsyncClient
) -> None:
    async with site_with(handler), asyncio.timeout(PATIENCE_SECONDS):
        response = await ask(alice_client, HELLO)
    assert (response.status_code, error_of(response)["code"]) == (status, code)


@pytest.mark.parametrize("handler", [writes(EVENT_STREAM), writes()])
async def test_silence_before_the_first_word_sets_the_status(
    handler: Handler, alice_client: AsyncClient
) -> None:
    async with site_with(handler, **IMPATIENT), asyncio.timeout(PATIENCE_SECONDS):
        response = await ask(alice_client, HELLO)
    assert (response.status_code, error_of(response)["code"]) == (504, "upstream_timeout")


@pytest.mark.parametrize(
    ("then", "limits", "code"),
    [
        ([], IMPATIENT_LATER, "upstream_timeout"),
        ([b"zz\r\nillegal"], {}, "upstream_disconnected"),
        ([chunk(b'data: {"errors":[{"message":"x","code":3040}]}\n\n')], {}, "out_of_capacity"),
    ],
)
async def test_a_provider_error_after_the_first_word_is_in_the_stream(
    then: list[bytes], limits: dict[str, float], code: str, alice_client: AsyncClient
) -> None:
    begun = EVENT_STREAM + chunk(b'data: {"response":"Half a "}\n\n')
    async with (
        site_with(writes(begun, *then), **limits),
        asyncio.timeout(PATIENCE_SECONDS),
    ):
        stream = await read_stream(await ask(alice_client, HELLO))
    assert stream.text == "Half a "
    assert stream.key("state") == "interrupted"
    assert stream.key("error")["code"] == code
    assert stream.done


async def test_a_stream_without_an_end_is_interrupted(alice_client: AsyncClient) -> None:
    async with site_with(always(stream_of(b'data: {"response":"Half"}\n\n'))):
        stream = await read_stream(await ask(alice_client, HELLO))
    assert stream.key("state") == "interrupted"
    assert stream.done


async def test_an_empty_answer_reports_its_length(alice_client: AsyncClient) -> None:
    async with site_with(always(stream_of(b"data: [DONE]\n\n"))):
        stream = await read_stream(await ask(alice_client, HELLO))
    assert (stream.key("state"), stream.key("length")) == ("complete", 0)


async def test_the_sites_own_limit_is_not_called_a_fault_of_the_provider(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_ANSWER_CHARS = 6
    long = b'data: {"response":"Half a word"}\n\ndata: [DONE]\n\n'
    async with site_with(always(stream_of(long))):
        stream = await read_stream(await ask(alice_client, HELLO))
    assert stream.text == "Half a"
    assert stream.key("state") == "interrupted"
    assert stream.key("error")["code"] == "answer_too_long"


async def test_more_collections_than_anybody_has_are_refused(alice_client: AsyncClient) -> None:
    many = [str(UUID(int=number)) for number in range(100_000)]
    response = await send(alice_client, text="Hello", collections=many)
    assert response.status_code == 400
    assert "100 collections" in response.json()["error"]["message"]
