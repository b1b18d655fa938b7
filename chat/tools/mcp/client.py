"""Ask an MCP server for its tools, and call one: a small client of the streamable HTTP transport.

Why it isn't the SDK's: docs/decisions/0042-own-mcp-client.md. Whatever a server does, an exchange
ends within its time, reads a bounded number of bytes and messages, and connects to no address but
the server's own.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from msgspec import UNSET, Raw

from chat.lib.sse import EventTooLong, SseDecoder
from chat.lib.text import one_line
from chat.site_settings.provider_address import may_connect
from chat.tools.mcp import protocol
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.protocol import CallResult, Initialized, Message, ToolPage
from chat.upstream.sockets.connection_pool import AddressRefused
from chat.upstream.sockets.transport import SocketTransport

CONNECT_SECONDS = 10.0
LIST_SECONDS = 20.0
#: Less than the tool loop's own limit, so that the server's failure is told in words.
CALL_SECONDS = 40.0
#: The end of a session is told if the server takes it at once.
CLOSE_SECONDS = 1.0
#: One message, and everything that a server sends in one session.
MAX_MESSAGE_BYTES = 4 * 1024 * 1024
MAX_SESSION_BYTES = 8 * 1024 * 1024
MAX_PAGE_BYTES = 1024 * 1024  # of tools: each of its parts is read
MAX_MESSAGES = 1000
#: Requests of the server, each of which is refused with a request of ours.
MAX_SERVER_REQUESTS = 10
MAX_TOOL_PAGES = 10
MAX_SESSION_ID_CHARS = 500
CONNECTIONS = 4
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server is. `repr` never shows the headers, which have its token."""

    address: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@asynccontextmanager
async def session(endpoint: Endpoint, seconds: float) -> AsyncIterator["McpSession"]:
    """Open a session that lasts this long at the most. Raise `McpError` for whatever goes wrong."""
    transport = SocketTransport(CONNECTIONS, may_connect=may_connect)
    opened = McpSession(endpoint, transport)
    try:
        async with asyncio.timeout(seconds):
            await opened.open()
            yield opened
        await opened.close()
    except TimeoutError as error:
        raise McpError("timeout") from error
    except httpx.TimeoutException as error:
        raise McpError("unreachable") from error
    except httpx.ConnectError as error:
        is_refused = isinstance(error.__cause__, AddressRefused)
        raise McpError("refused_address" if is_refused else "unreachable") from error
    except httpx.RemoteProtocolError as error:
        raise McpError("garbage") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise McpError("closed") from error
    finally:
        await transport.aclose()


class McpSession:
    """A session with a server, whose messages are read as answers to ours and by nobody else."""

    def __init__(self, endpoint: Endpoint, transport: httpx.AsyncBaseTransport) -> None:
        self._url = httpx.URL(endpoint.address)
        self._transport = transport
        self._headers = {
            **endpoint.headers,
            "User-Agent": "runnel",
            "Accept": "application/json, text/event-stream",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
        }
        self._has_id = False
        self._number = 0
        self._bytes_left = MAX_SESSION_BYTES
        self._messages_left = MAX_MESSAGES
        self._replies_left = MAX_SERVER_REQUESTS

    async def open(self) -> None:
        result = await self._ask("initialize", protocol.introduction())
        version = protocol.decoded(result, Initialized).protocolVersion
        if version not in protocol.VERSIONS:
            raise McpError("version", _one_line(version))
        self._headers["MCP-Protocol-Version"] = version
        await self._tell(protocol.notification("notifications/initialized"))

    async def tools(self) -> AsyncGenerator[Raw]:
        """Yield the tools as the server describes them, page by page."""
        cursor: str | None = None
        for _page in range(MAX_TOOL_PAGES):
            parameters = {} if cursor is None else {"cursor": cursor}
            listed = await self._ask("tools/list", parameters)
            if len(bytes(listed)) > MAX_PAGE_BYTES:
                raise McpError("too_long")
            page = protocol.decoded(listed, ToolPage)
            for each in page.tools:
                yield each
            cursor = page.nextCursor
            if not cursor:
                return

    async def call(self, name: str, arguments: Raw) -> CallResult:
        """Call a tool with these arguments, JSON that is sent as it is."""
        parameters = {"name": name, "arguments": arguments}
        result: CallResult = protocol.decoded(await self._ask("tools/call", parameters), CallResult)
        return result

    async def close(self) -> None:
        """Tell the server that the session has ended. Nothing depends on it."""
        if not self._has_id:
            return
        with suppress(TimeoutError, httpx.HTTPError):
            async with asyncio.timeout(CLOSE_SECONDS):
                response = await self._send("DELETE", b"")
                await response.aclose()

    async def _ask(self, method: str, parameters: Mapping[str, Any]) -> Raw:
        """Send a request and return its result. Raise `McpError` if there is none."""
        self._number += 1
        number = self._number
        response = await self._send("POST", protocol.request(number, method, parameters))
        try:
            await self._require_success(response)
            self._keep_session_id(response)
            message = await self._answer(response, number)
        finally:
            await response.aclose()
        if message.error is not None:
            raise McpError("error", _one_line(message.error.message))
        if message.result is UNSET:
            raise McpError("garbage")
        return message.result

    async def _tell(self, body: bytes) -> None:
        """Send what has no answer."""
        response = await self._send("POST", body)
        try:
            await self._require_success(response)
        finally:
            await response.aclose()

    async def _send(self, method: str, body: bytes) -> httpx.Response:
        request = httpx.Request(
            method,
            self._url,
            headers=self._headers,
            content=body,
            extensions={"timeout": {"connect": CONNECT_SECONDS}},
        )
        return await self._transport.handle_async_request(request)

    def _keep_session_id(self, response: httpx.Response) -> None:
        name = response.headers.get("Mcp-Session-Id")
        if name is None or self._has_id:
            return
        if not (0 < len(name) <= MAX_SESSION_ID_CHARS and name.isascii() and name.isprintable()):
            raise McpError("garbage")
        self._headers["Mcp-Session-Id"] = name
        self._has_id = True

    async def _require_success(self, response: httpx.Response) -> None:
        """Raise `McpError` for a status that is none, with the server's own words if it has any."""
        status = response.status_code
        if status < 300:
            return
        if status < 400:
            raise McpError("redirect", _one_line(response.headers.get("Location", "")))
        if status in {401, 403}:
            raise McpError("unauthorized")
        problem = McpError("status", str(status))
        if _kind(response) == JSON:
            with suppress(McpError):
                message = protocol.decoded(await self._whole(response), Message)
                if message.error and message.error.message:
                    problem = McpError("error", _one_line(message.error.message))
        raise problem

    async def _answer(self, response: httpx.Response, number: int) -> Message:
        """Return the answer to our request. All else that the server says is passed over."""
        async with aclosing(self._messages(response)) as messages:
            async for message in messages:
                if message.is_request:
                    await self._refuse(message)
                elif message.method is None and message.id == number:
                    return message
        raise McpError("closed")

    async def _messages(self, response: httpx.Response) -> AsyncGenerator[Message]:
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise McpError("garbage")  # compressed, it could expand to anything
        kind = _kind(response)
        if kind == JSON:
            yield self._read(await self._whole(response))
        elif kind == "text/event-stream":
            decoder = SseDecoder(MAX_MESSAGE_BYTES)
            while chunk := await self._chunk(response):
                for event in _events(decoder, chunk):
                    yield self._read(event)
        else:
            raise McpError("garbage")

    def _read(self, data: bytes | str) -> Message:
        """Return the message of a body or an event, and count it. An empty one says nothing."""
        self._messages_left -= 1
        if self._messages_left < 0:
            raise McpError("flood")
        message: Message = protocol.decoded(data, Message) if data.strip() else Message()
        return message

    async def _whole(self, response: httpx.Response) -> bytes:
        body = bytearray()
        while chunk := await self._chunk(response):
            body += chunk
            if len(body) > MAX_MESSAGE_BYTES:
                raise McpError("too_long")
        return bytes(body)

    async def _chunk(self, response: httpx.Response) -> bytes:
        """Return the next bytes of the body; empty at its end."""
        chunk: bytes = await response.extensions["read"]()
        self._bytes_left -= len(chunk)
        if self._bytes_left < 0:
            raise McpError("too_long")
        return chunk

    async def _refuse(self, message: Message) -> None:
        """Answer a request of the server: for the model, for files, for what the person types."""
        self._replies_left -= 1
        if self._replies_left < 0:
            raise McpError("flood")
        await self._tell(protocol.reply(message))


def _kind(response: httpx.Response) -> str:
    kind: str = response.headers.get("Content-Type", "")
    return kind.partition(";")[0].strip().lower()


def _events(decoder: SseDecoder, chunk: bytes) -> list[str]:
    try:
        return [each.data for each in decoder.feed(chunk)]
    except EventTooLong:
        raise McpError("too_long") from None


def _one_line(text: str) -> str:
    return one_line(text[: 2 * protocol.MAX_DETAIL_CHARS])[: protocol.MAX_DETAIL_CHARS]
