"""Servers that have dropped the handshake, and speak version 2026-07-28 only."""

import json
from typing import Any

import pytest
from msgspec import Raw

from chat.tools.mcp import client, resources, results
from chat.tools.mcp.client import Endpoint
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.protocol import routing_headers
from tests.support.servers.tides_server import mcp_server
from tests.support.upstream.raw_mcp import Reply, mcp_handler, message_of, methods_of
from tests.support.upstream.raw_upstream import plain, raw_upstream

REFUSED = plain(400, b'{"error": {"code": -32022, "message": "Unsupported version"}}')
DISCOVERED: Reply = {"supportedVersions": ["2026-07-28"], "capabilities": {}}


@pytest.mark.parametrize("answers_json", [True, False])
async def test_the_sdk_s_server_works_without_a_handshake(answers_json: bool) -> None:
    with mcp_server(has_handshake=False, answers_json=answers_json) as server:
        server.add_resources()
        async with client.session(Endpoint(server.url), 10) as session:
            found = await resources.listing_of(session)
            assert [each.name for each in found.tools][:2] == ["high_tide", "book"]
            assert [each.name for each in found.tools][-1] == "read_resource"
            tide = await session.call("high_tide", Raw('{"place": "Ørsta"}'.encode()))
            failed = await session.call("sink", Raw(b"{}"))
            (read,) = await session.read_resource("tide://oslo")
        assert "High tide at Ørsta" in results.text_of(tide)
        assert failed.isError
        assert read.text == "High tide at 14:05."
        later = [each for each in server.headers if "mcp-method" in each]
        assert {each["mcp-protocol-version"] for each in later} == {"2026-07-28"}
        assert later[0]["mcp-method"] == "server/discover"


async def refusal(replies: dict[str, Reply]) -> tuple[str, list[str]]:
    async with raw_upstream(mcp_handler({"initialize": REFUSED, **replies})) as raw:
        with pytest.raises(McpError) as error:
            async with client.session(Endpoint(raw.url), 10) as session:
                await session.call("echo", Raw(b"{}"))
    return error.value.reason, methods_of(raw.requests)


async def test_an_unknown_version_is_refused_in_words() -> None:
    later: Reply = {"supportedVersions": ["2030-01-01"]}
    assert (await refusal({"server/discover": later}))[0] == "version"
    assert (await refusal({"server/discover": REFUSED}))[0] == "error"
    assert (await refusal({"server/discover": {"supportedVersions": 5}}))[0] == "garbage"


async def test_a_server_that_asks_for_more_gets_nothing() -> None:
    asks: Reply = {"resultType": "input_required", "inputRequests": {"x": {}}}
    reason, methods = await refusal({"server/discover": DISCOVERED, "tools/call": asks})
    assert reason == "asks"
    assert methods == ["initialize", "server/discover", "tools/call"]


async def test_each_request_says_who_asks() -> None:
    replies: dict[str, Reply] = {"initialize": REFUSED, "server/discover": DISCOVERED}
    async with raw_upstream(mcp_handler(replies)) as raw:
        async with client.session(Endpoint(raw.url), 10) as session:
            await session.call("echo", Raw(b'{"a": 1.0}'))
    parameters: dict[str, Any] = message_of(raw.requests[-1])["params"]
    assert set(parameters) == {"name", "arguments", "_meta"}
    assert b'"arguments":{"a": 1.0}' in raw.requests[-1]
    assert "runnel" in json.dumps(parameters["_meta"])


def test_names_are_written_so_that_headers_can_have_them() -> None:
    assert routing_headers("tools/list", {}) == {"Mcp-Method": "tools/list"}
    assert routing_headers("tools/call", {"name": "echo"})["Mcp-Name"] == "echo"
    for odd in ("潮", " x", "a\r\nX-Evil: 1", "=?base64?eA==?="):
        assert routing_headers("tools/call", {"name": odd})["Mcp-Name"].startswith("=?base64?")
