"""The client of MCP servers: what it sends, and that no server can hold, flood or redirect it."""

import asyncio
import json
import resource
from typing import Any

import pytest
from msgspec import Raw
from pytest_django import Settings

from chat.tools.mcp import client, listing, results
from chat.tools.mcp.client import Endpoint
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.listing import Listing
from tests.support.servers.tides_server import mcp_server
from tests.support.upstream import raw_mcp
from tests.support.upstream.raw_mcp import (
    ACCEPTED,
    Reply,
    encoded,
    event,
    events_then,
    mcp_handler,
    message_of,
    methods_of,
)
from tests.support.upstream.raw_upstream import plain, raw_upstream
from tests.support.wait_for import until

SECONDS = 5.0
MEGABYTE = b"x" * 1024 * 1024
JSON_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"
)
EVENTS_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
FOUND = {"content": [{"type": "text", "text": "once more"}]}


async def listed(url: str, headers: dict[str, str] | None = None) -> Listing:
    async with client.session(Endpoint(url, headers or {}), SECONDS) as session:
        return await listing.read_all(session.tools())


async def called(url: str, arguments: bytes = b"{}", seconds: float = SECONDS) -> str:
    async with client.session(Endpoint(url), seconds) as session:
        return results.text_of(await session.call("echo", Raw(arguments)))


async def refusal(replies: dict[str, Reply], seconds: float = SECONDS) -> tuple[str, str]:
    """Return how a call to a server with these replies fails."""
    async with raw_upstream(mcp_handler(replies)) as raw:
        with pytest.raises(McpError) as error:
            await called(raw.url, seconds=seconds)
    return error.value.reason, error.value.detail


@pytest.mark.parametrize("is_stateless", [True, False])
@pytest.mark.parametrize("answers_json", [True, False])
async def test_the_sdk_s_server_lists_and_runs_its_tools(
    is_stateless: bool, answers_json: bool
) -> None:
    with mcp_server(is_stateless=is_stateless, answers_json=answers_json) as server:
        tools = (await listed(server.url)).tools
        assert [each.name for each in tools] == ["high_tide", "book", "chart", "sink"]
        assert [each.says_read_only for each in tools] == [True, False, False, False]
        assert tools[0].schema["required"] == ["place"]
        async with client.session(Endpoint(server.url), SECONDS) as session:
            tide = await session.call("high_tide", Raw(b'{"place": "Oslo"}'))
            booked = await session.call("book", Raw(b'{"boat": "Ada"}'))
            drawn = await session.call("chart", Raw(b"{}"))
            failed = await session.call("sink", Raw(b"{}"))
        assert "High tide at Oslo at 14:05." in results.text_of(tide)
        assert '"booked"' in results.text_of(booked)
        assert "The chart:\n[image]" in results.text_of(drawn)
        assert failed.isError
        assert "Error executing tool sink" in results.error_of(failed)
        assert server.called == [{"place": "Oslo", "days": 1}, {"boat": "Ada"}]


async def test_each_request_has_the_headers_and_the_session() -> None:
    with mcp_server() as server:
        await listed(server.url, {"Authorization": "Bearer abc", "X-Team": "blue"})
    assert {each["authorization"] for each in server.headers} == {"Bearer abc"}
    assert {each["x-team"] for each in server.headers} == {"blue"}
    sessions = [each.get("mcp-session-id") for each in server.headers]
    assert sessions[0] is None
    assert len(set(sessions[1:])) == 1
    assert {each.get("mcp-protocol-version") for each in server.headers[1:]} == {"2025-11-25"}


async def test_arguments_are_sent_as_they_are() -> None:
    arguments = b'{"n": 1.0, "big": 123456789012345678901234567890, "s": "5", "e": 1e400}'
    async with raw_upstream(mcp_handler()) as raw:
        await called(raw.url, arguments)
    assert b'"arguments":' + arguments in raw.requests[-1]
    assert methods_of(raw.requests) == ["initialize", "notifications/initialized", "tools/call"]


async def test_an_unreachable_server_is_told_in_words() -> None:
    with pytest.raises(McpError) as error:
        await called("http://127.0.0.1:9/mcp")
    assert error.value.reason == "unreachable"
    assert "reached" in error.value.words


async def test_a_private_address_needs_permission(settings: Settings) -> None:
    settings.PRIVATE_PROVIDERS = False
    async with raw_upstream(mcp_handler()) as raw:
        with pytest.raises(McpError) as error:
            await called(raw.url)
        assert raw.requests == []
    assert error.value.reason == "refused_address"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_is_followed(status: int) -> None:
    async with raw_upstream(mcp_handler()) as private:
        moved = plain(status, b"", extra=f"Location: {private.url}\r\n")
        for method in ("initialize", "notifications/initialized", "tools/call"):
            assert await refusal({method: moved}) == ("redirect", private.url)
        assert private.requests == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (plain(401, b"{}"), "unauthorized"),
        (plain(403, b"{}"), "unauthorized"),
        (plain(404, b"{}"), "status"),
        (plain(500, b"<h1>Oops</h1>", "text/html"), "status"),
        (plain(400, b'{"error": {"message": ""}}'), "status"),
        (plain(400, b'{"error": {"code": -32022, "message": "Version 2 only"}}'), "error"),
        (raw_mcp.endless(JSON_HEAD.replace(b"200", b"500"), MEGABYTE), "status"),
        (plain(200, b"<h1>Hello</h1>", "text/html"), "garbage"),
        (plain(200, b"hello"), "garbage"),
        (plain(200, b""), "closed"),
        (plain(200, b"[]"), "garbage"),
        (plain(200, b"[" * 50_000), "garbage"),
        (plain(200, b'{"jsonrpc": "2.0", "id": 2}'), "garbage"),
        (plain(200, b'{"jsonrpc": "2.0", "id": 999, "result": {}}'), "closed"),
        (plain(200, b'{"jsonrpc": "2.0", "id": 2, "result": []}'), "garbage"),
        (plain(200, b'{"id": 2, "result": {"content": "no list"}}'), "garbage"),
        (plain(200, b'{"id": 2, "result": {"content": "\xff\xfe"}}'), "garbage"),
        (plain(200, b"\x1f\x8b garbage", extra="Content-Encoding: gzip\r\n"), "garbage"),
        (ACCEPTED, "closed"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "garbage"),
        (raw_mcp.close, "closed"),
        (events_then(), "closed"),
        (events_then(event(b"not JSON")), "garbage"),
        (events_then(event({"jsonrpc": "2.0", "id": 99, "result": {}})), "closed"),
        (JSON_HEAD + b"{", "timeout"),
    ],
)
async def test_whatever_a_server_answers_is_told_in_words(reply: Reply, reason: str) -> None:
    seconds = 0.5 if reason == "timeout" else SECONDS
    assert (await refusal({"tools/call": reply}, seconds))[0] == reason


async def test_an_error_of_the_server_is_told_in_its_words() -> None:
    async def error(message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        words = "No boat\n\u202ehidden" + "!" * 1000
        failure = {"id": message["id"], "error": {"code": -32602, "message": words}}
        writer.write(plain(200, json.dumps(failure).encode()))

    reason, detail = await refusal({"tools/call": error})
    assert reason == "error"
    assert detail.startswith("No boat hidden!")
    assert len(detail) == 300


@pytest.mark.parametrize("method", ["initialize", "notifications/initialized", "tools/call"])
async def test_a_server_that_stalls_is_given_up(method: str) -> None:
    async with asyncio.timeout(3):
        assert await refusal({method: raw_mcp.stall}, 0.3) == ("timeout", "")


async def test_a_server_that_lists_tools_for_ever_is_bounded() -> None:
    async def page(message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        number = str(message["id"])
        tool = {**raw_mcp.TOOL, "name": f"tool{number}"}
        writer.write(plain(200, encoded(message, {"tools": [tool] * 50, "nextCursor": number})))

    async with raw_upstream(mcp_handler({"tools/list": page})) as raw:
        found = await listed(raw.url)
    assert methods_of(raw.requests).count("tools/list") == client.MAX_PAGES
    assert len(found.tools) == client.MAX_PAGES
    assert found.left_out == client.MAX_PAGES * 49


NOTICE = event({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * 99}})


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (raw_mcp.endless(JSON_HEAD, MEGABYTE), "too_long"),
        (raw_mcp.endless(EVENTS_HEAD, b"data: " + MEGABYTE), "too_long"),
        (raw_mcp.endless(EVENTS_HEAD, b": comment\n\n" * 1000), "too_long"),
        (raw_mcp.endless(EVENTS_HEAD, event(b'{"x": "%b"}' % MEGABYTE)), "too_long"),
        (raw_mcp.endless(EVENTS_HEAD, NOTICE), "flood"),
        (raw_mcp.endless(EVENTS_HEAD, event(b"  ")), "flood"),
        (plain(200, b"[" + b",".join([b"{}"] * 1_000_000) + b"]"), "garbage"),
    ],
)
async def test_a_flood_ends_soon_and_takes_little_memory(reply: Reply, reason: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with asyncio.timeout(10):
        assert (await refusal({"tools/call": reply}, 10))[0] == reason
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


async def test_a_list_of_a_million_tools_takes_little_memory() -> None:
    async def page(message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        tools = b"1," * 1_000_000 + b"1"
        writer.write(plain(200, b'{"id": %d, "result": {"tools": [%b]}}' % (message["id"], tools)))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with raw_upstream(mcp_handler({"tools/list": page})) as raw:
        with pytest.raises(McpError) as error:
            await listed(raw.url)
    assert error.value.reason == "too_long"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


async def test_notifications_before_the_answer_are_passed_over() -> None:
    async with raw_upstream(
        mcp_handler({"tools/call": events_then(*[NOTICE] * 100, result=FOUND)})
    ) as raw:
        assert "once more" in await called(raw.url)


@pytest.mark.parametrize(
    "method", ["sampling/createMessage", "elicitation/create", "roots/list", "unheard/of"]
)
async def test_a_server_gets_nothing_that_it_asks_for(method: str) -> None:
    asks = event({"jsonrpc": "2.0", "id": "s1", "method": method, "params": {"prompt": "Hi"}})
    async with raw_upstream(mcp_handler({"tools/call": events_then(asks, result=FOUND)})) as raw:
        assert "once more" in await called(raw.url)
    reply = message_of(raw.requests[-1])
    assert (reply["id"], reply["error"]["code"]) == ("s1", -32601)


async def test_a_ping_is_answered() -> None:
    ping = event({"jsonrpc": "2.0", "id": 7, "method": "ping"})
    async with raw_upstream(mcp_handler({"tools/call": events_then(ping, result=FOUND)})) as raw:
        await called(raw.url)
    assert message_of(raw.requests[-1]) == {"jsonrpc": "2.0", "id": 7, "result": {}}


async def test_a_server_that_asks_for_ever_is_given_up() -> None:
    asks = event({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})
    async with raw_upstream(mcp_handler({"tools/call": events_then(asks, again=True)})) as raw:
        with pytest.raises(McpError) as error:
            await called(raw.url)
        assert error.value.reason == "flood"
        assert len(raw.requests) <= 3 + client.MAX_SERVER_REQUESTS


async def test_an_unknown_version_is_refused() -> None:
    hello = {"protocolVersion": "1999-01-01\nx", "capabilities": {}}
    assert await refusal({"initialize": hello}) == ("version", "1999-01-01 x")


@pytest.mark.parametrize("name", ["a" * 501, "two words\x01", "\xe9"])
async def test_no_session_id_becomes_another_header(name: str) -> None:
    hello = encoded({"id": 1}, {"protocolVersion": "2025-11-25"})
    odd = plain(200, hello).replace(
        b"\r\n\r\n", f"\r\nMcp-Session-Id: {name}\r\n\r\n".encode("latin-1"), 1
    )
    assert await refusal({"initialize": odd}) == ("garbage", "")


async def test_nothing_stays_open() -> None:
    async with raw_upstream(mcp_handler()) as raw:
        await called(raw.url)
        await until(lambda: raw.open == 0)


def test_the_token_is_in_no_representation() -> None:
    assert "secret" not in repr(Endpoint("https://x.example", {"Authorization": "Bearer secret"}))
