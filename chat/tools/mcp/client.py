"""Ask an MCP server for its tools, and call one: a small client of the protocol.

Why it isn't the SDK's: docs/decisions/0042-own-mcp-client.md. Whatever a server does, an exchange
ends within its time, reads a bounded number of bytes and messages, and connects to no address but
the server's own, or starts no program but the environment's.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from msgspec import UNSET, Raw

from chat.tools.mcp import protocol
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.http_channel import Tokens, http_channel
from chat.tools.mcp.models import PROGRAM
from chat.tools.mcp.program_channel import program_channel
from chat.tools.mcp.protocol import (
    CallResult,
    Discovered,
    Initialized,
    Message,
    Page,
    Resource,
    ResourceContents,
    ResourcePage,
    ResultKind,
    ToolPage,
    shown_detail,
)

LIST_SECONDS = 20.0
#: Less than the tool loop's own limit, so that the server's failure is told in words.
CALL_SECONDS = 40.0
MAX_PAGE_BYTES = 1024 * 1024  # each of its parts is read
#: Requests of the server, each of which is refused with a request of ours.
MAX_SERVER_REQUESTS = 10
MAX_PAGES = 10  # of tools, or of resources


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server is. `repr` never shows the headers, which have its token.

    `tokens` are those of a sign-in, which come before a token in the headers.
    """

    address: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    tokens: Tokens | None = None


class Channel(Protocol):
    """A way to a server, for one session."""

    def ask(self, body: bytes, headers: Mapping[str, str]) -> AsyncGenerator[Message]:
        """Send a request; yield what the server says until the answer, and after."""

    async def tell(self, body: bytes) -> None:
        """Send what has no answer."""

    def agree_on(self, version: str) -> None:
        """Use this version of the protocol from now on."""

    async def close(self) -> None:
        """Tell the server that the session has ended. Nothing depends on it."""


@asynccontextmanager
async def session(endpoint: Endpoint, seconds: float) -> AsyncIterator["McpSession"]:
    """Open a session that lasts this long at the most. Raise `McpError` for whatever goes wrong."""
    try:
        async with asyncio.timeout(seconds) as limit, _channel(endpoint) as channel:
            opened = McpSession(channel)
            await opened.open()
            yield opened
            limit.reschedule(None)  # the rest has limits of its own
            await channel.close()
    except TimeoutError as error:
        raise McpError("timeout") from error


def _channel(endpoint: Endpoint) -> AbstractAsyncContextManager[Channel]:
    if endpoint.address.startswith(PROGRAM):
        return program_channel(endpoint.address)
    return http_channel(endpoint.address, endpoint.headers, endpoint.tokens)


class McpSession:
    """A session with a server, whose messages are read as answers to ours and by nobody else."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.has_resources = False
        self._has_handshake = True
        self._number = 0
        self._replies_left = MAX_SERVER_REQUESTS

    async def open(self) -> None:
        try:
            result = await self._ask("initialize", protocol.introduction())
        except McpError as error:
            if error.code != protocol.UNSUPPORTED_VERSION:
                raise
            await self._discover()
            return
        hello: Initialized = protocol.decoded(result, Initialized)
        version = hello.protocolVersion
        self.has_resources = hello.capabilities.resources is not None
        if version not in protocol.VERSIONS:
            raise McpError("version", shown_detail(version))
        self._channel.agree_on(version)
        await self._channel.tell(protocol.notification("notifications/initialized"))

    async def _discover(self) -> None:
        """Ask a server that has no handshake what it is."""
        self._has_handshake = False
        self._channel.agree_on(protocol.STATELESS_VERSION)
        result: Discovered = protocol.decoded(await self._ask("server/discover", {}), Discovered)
        if protocol.STATELESS_VERSION not in result.supportedVersions:
            raise McpError("version", shown_detail(", ".join(result.supportedVersions[:9])))
        self.has_resources = result.capabilities.resources is not None

    async def tools(self) -> AsyncGenerator[Raw]:
        """Yield the tools as the server describes them, page by page."""
        async with aclosing(self._pages("tools/list")) as pages:
            async for each in pages:
                page = protocol.decoded(each, ToolPage)
                for tool in page.tools:
                    yield tool

    async def resources(self) -> AsyncGenerator[Raw]:
        """Yield the resources as the server describes them, page by page."""
        async with aclosing(self._pages("resources/list")) as pages:
            async for each in pages:
                page = protocol.decoded(each, ResourcePage)
                for resource in page.resources:
                    yield resource

    async def read_resource(self, uri: str) -> list[Resource]:
        read = protocol.decoded(await self._ask("resources/read", {"uri": uri}), ResourceContents)
        return list(read.contents)

    async def _pages(self, method: str) -> AsyncGenerator[Raw]:
        cursor: str | None = None
        for _page in range(MAX_PAGES):
            listed = await self._ask(method, {} if cursor is None else {"cursor": cursor})
            if len(bytes(listed)) > MAX_PAGE_BYTES:
                raise McpError("too_long")
            yield listed
            cursor = protocol.decoded(listed, Page).nextCursor
            if not cursor:
                return

    async def call(self, name: str, arguments: Raw) -> CallResult:
        """Call a tool with these arguments, JSON that is sent as it is."""
        parameters = {"name": name, "arguments": arguments}
        result: CallResult = protocol.decoded(await self._ask("tools/call", parameters), CallResult)
        return result

    async def _ask(self, method: str, parameters: Mapping[str, Any]) -> Raw:
        """Send a request and return its result. Raise `McpError` if there is none."""
        self._number += 1
        headers: Mapping[str, str] = {}
        if not self._has_handshake:
            headers = protocol.routing_headers(method, parameters)
            parameters = {**parameters, **protocol.envelope()}
        body = protocol.request(self._number, method, parameters)
        async with aclosing(self._channel.ask(body, headers)) as messages:
            message = await self._answer(messages, self._number)
        if message.error is not None:
            raise McpError("error", shown_detail(message.error.message), message.error.code)
        if message.result is UNSET:
            raise McpError("garbage")
        if protocol.decoded(message.result, ResultKind).resultType != "complete":
            raise McpError("asks")
        return message.result

    async def _answer(self, messages: AsyncGenerator[Message], number: int) -> Message:
        """Return the answer to our request. All else that the server says is passed over."""
        async for message in messages:
            if message.is_request:
                await self._refuse(message)
            elif message.method is None and message.id == number:
                return message
        raise McpError("closed")

    async def _refuse(self, message: Message) -> None:
        """Answer a request of the server: for the model, for files, for what the person types."""
        self._replies_left -= 1
        if self._replies_left < 0:
            raise McpError("flood")
        await self._channel.tell(protocol.reply(message))
