"""Resources of MCP servers are two tools: one lists them, one reads them."""

import base64
import json
from typing import Any

import pytest
from msgspec import Raw

from chat.tools.mcp import client, resources, results
from chat.tools.mcp.client import Endpoint
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.listing import Listing
from chat.tools.mcp.protocol import CallResult
from tests.support.servers.tides_server import PICTURE, mcp_server
from tests.support.upstream.raw_mcp import TOOL, Reply, mcp_handler, methods_of
from tests.support.upstream.raw_upstream import plain, raw_upstream

HELLO: Reply = {"protocolVersion": "2025-11-25", "capabilities": {"resources": {}}}
ONE: Reply = {"resources": [{"uri": "tide://oslo", "name": "Oslo"}]}


async def listed(url: str) -> Listing:
    async with client.session(Endpoint(url), 10) as session:
        return await resources.listing_of(session)


async def called(url: str, name: str, arguments: bytes = b"{}") -> CallResult:
    async with client.session(Endpoint(url), 10) as session:
        tool = await resources.find(session, name)
        assert tool
        return await resources.call(session, tool, Raw(arguments))


def uri(text: str) -> bytes:
    return json.dumps({"uri": text}).encode()


async def test_the_sdk_s_resources_are_listed_and_read() -> None:
    with mcp_server() as server:
        server.add_resources()
        found = await listed(server.url)
        assert [each.name for each in found.tools][-2:] == ["list_resources", "read_resource"]
        assert resources.READ.digest != resources.LIST.digest
        text = results.text_of(await called(server.url, "list_resources"))
        assert "tide://oslo – Oslo – The tides of Oslo. – text/plain" in text
        read = results.text_of(await called(server.url, "read_resource", uri("tide://oslo")))
        assert "High tide at 14:05." in read
        chart = await called(server.url, "read_resource", uri("tide://chart"))
        assert results.images_of(chart) == [PICTURE]
        with pytest.raises(McpError) as error:
            await called(server.url, "read_resource", uri("tide://nowhere"))
        assert error.value.reason == "error"


async def test_a_server_without_resources_has_no_such_tools() -> None:
    with mcp_server() as server:
        assert len((await listed(server.url)).tools) == 4
    refused = plain(400, b'{"error": {"code": -32601, "message": "No"}}')
    for replies in ({"initialize": HELLO, "resources/list": refused}, {}):
        async with raw_upstream(mcp_handler(replies)) as raw:
            assert [each.name for each in (await listed(raw.url)).tools] == ["echo"]


async def test_a_tool_of_the_server_with_this_name_is_called_itself() -> None:
    own = {**TOOL, "name": "read_resource"}
    replies: dict[str, Reply] = {
        "initialize": HELLO,
        "tools/list": {"tools": [own]},
        "resources/list": ONE,
    }
    async with raw_upstream(mcp_handler(replies)) as raw:
        found = await listed(raw.url)
        assert [each.name for each in found.tools] == ["read_resource", "list_resources"]
        assert "once more" in results.text_of(await called(raw.url, "read_resource"))
        assert methods_of(raw.requests)[-1] == "tools/call"


@pytest.mark.parametrize("arguments", [b"{}", b'{"uri": 5}', b"[]"])
async def test_arguments_that_don_t_fit_are_told_in_words(arguments: bytes) -> None:
    replies: dict[str, Reply] = {"initialize": HELLO, "resources/list": ONE}
    async with raw_upstream(mcp_handler(replies)) as raw:
        with pytest.raises(McpError) as error:
            await called(raw.url, "read_resource", arguments)
    assert error.value.reason in {"error", "garbage"}


async def test_a_list_is_bounded() -> None:
    async def page(message: dict[str, Any], writer: Any) -> None:
        many = [{"uri": f"x://{message['id']}-{number}"} for number in range(150)]
        body = {"id": message["id"], "result": {"resources": many, "nextCursor": "more"}}
        writer.write(plain(200, json.dumps(body).encode()))

    async with raw_upstream(mcp_handler({"initialize": HELLO, "resources/list": page})) as raw:
        text = results.text_of(await called(raw.url, "list_resources"))
    assert text.count("x://") == resources.MAX_LISTED
    assert "(There are more.)" in text


async def test_other_files_are_named() -> None:
    content = {"uri": "x://zip", "blob": base64.b64encode(b"PK").decode(), "mimeType": "a/zip"}
    replies: dict[str, Reply] = {
        "initialize": HELLO,
        "resources/list": ONE,
        "resources/read": {"contents": [content]},
    }
    async with raw_upstream(mcp_handler(replies)) as raw:
        read = await called(raw.url, "read_resource", uri("x://zip"))
    assert "[file: x://zip]" in results.text_of(read)
