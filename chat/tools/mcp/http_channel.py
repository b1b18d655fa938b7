"""Send messages to an MCP server by streamable HTTP, and read what it answers to each."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Protocol

import httpx

from chat.lib.sse import EventTooLong, SseDecoder
from chat.site_settings.provider_address import may_connect
from chat.tools.mcp import protocol, secrets
from chat.tools.mcp.budget import MAX_MESSAGE_BYTES, Budget
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.protocol import Message, shown_detail
from chat.upstream.sockets.connection_pool import AddressRefused
from chat.upstream.sockets.transport import SocketTransport

CONNECT_SECONDS = 10.0
#: The end of a session is told if the server takes it at once.
CLOSE_SECONDS = 1.0
MAX_SESSION_ID_CHARS = 500
CONNECTIONS = 4
JSON = "application/json"


class Tokens(Protocol):
    """Gives the token of a sign-in to a server."""

    async def token(self, refused: str = "") -> str:
        """Return one other than the `refused` one. Raise `McpError`."""


@asynccontextmanager
async def http_channel(
    address: str, headers: Mapping[str, str], tokens: Tokens | None
) -> AsyncIterator["HttpChannel"]:
    """Connect to a server. Raise `McpError` for whatever goes wrong."""
    transport = SocketTransport(CONNECTIONS, may_connect=may_connect)
    try:
        yield HttpChannel(address, headers, tokens, transport)
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


class HttpChannel:
    """A connection of one session."""

    def __init__(
        self,
        address: str,
        headers: Mapping[str, str],
        tokens: Tokens | None,
        transport: httpx.AsyncBaseTransport,
    ) -> None:
        self._url = httpx.URL(address)
        self._transport = transport
        self._tokens, self._token = tokens, ""
        self._budget = Budget()
        self._values = list(headers.values())
        self._hidden = secrets.hidden_in(self._values)
        self._has_id = False
        self._headers = {
            **headers,
            "User-Agent": "runnel",
            "Accept": "application/json, text/event-stream",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
        }

    async def ask(self, body: bytes, headers: Mapping[str, str]) -> AsyncGenerator[Message]:
        """Send a request; yield what the server says until the answer, and after."""
        response = await self._send("POST", body, headers)
        try:
            await self._require_success(response)
            self._keep_session_id(response)
            async with aclosing(self._messages(response)) as messages:
                async for message in messages:
                    yield message
        finally:
            await response.aclose()

    async def tell(self, body: bytes) -> None:
        """Send what has no answer."""
        response = await self._send("POST", body)
        try:
            await self._require_success(response)
        finally:
            await response.aclose()

    def agree_on(self, version: str) -> None:
        self._headers["MCP-Protocol-Version"] = version

    async def close(self) -> None:
        """Tell the server that the session has ended. Nothing depends on it."""
        if not self._has_id:
            return
        with suppress(TimeoutError, httpx.HTTPError, McpError):
            async with asyncio.timeout(CLOSE_SECONDS):
                response = await self._send("DELETE", b"")
                await response.aclose()

    async def _send(
        self, method: str, body: bytes, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Send a request, once more with a new token if the server refuses the first one."""
        if self._tokens and not self._token:
            self._use(await self._tokens.token())
        response = await self._send_once(method, body, headers or {})
        if response.status_code == 401 and self._tokens:
            await response.aclose()
            tokens, self._tokens = self._tokens, None  # a second one would be refused, too
            self._use(await tokens.token(refused=self._token))
            response = await self._send_once(method, body, headers or {})
        return response

    def _use(self, token: str) -> None:
        self._token = token
        self._hidden = secrets.hidden_in([*self._values, token])
        self._headers["Authorization"] = f"Bearer {token}"

    async def _send_once(
        self, method: str, body: bytes, headers: Mapping[str, str]
    ) -> httpx.Response:
        request = httpx.Request(
            method,
            self._url,
            headers={**self._headers, **headers},
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
            place = response.headers.get("Location", "").encode()
            raise McpError("redirect", shown_detail(self._masked(place).decode()))
        if status in {401, 403}:
            raise McpError("unauthorized")
        problem = McpError("status", str(status))
        if _kind(response) == JSON:
            with suppress(McpError):
                message = protocol.decoded(self._masked(await self._whole(response)), Message)
                if message.error and message.error.message:
                    words = shown_detail(message.error.message)
                    problem = McpError("error", words, message.error.code)
        raise problem

    async def _messages(self, response: httpx.Response) -> AsyncGenerator[Message]:
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise McpError("garbage")  # compressed, it could expand to anything
        kind = _kind(response)
        if kind == JSON:
            yield self._budget.read(self._masked(await self._whole(response)))
        elif kind == "text/event-stream":
            decoder = SseDecoder(MAX_MESSAGE_BYTES)
            while chunk := await self._chunk(response):
                for event in _events(decoder, chunk):
                    yield self._budget.read(self._masked(event.encode()))
        else:
            raise McpError("garbage")

    def _masked(self, data: bytes) -> bytes:
        """Return what the server says without what it was sent in headers: it may repeat them."""
        return secrets.masked(data, self._hidden)

    async def _whole(self, response: httpx.Response) -> bytes:
        body = bytearray()
        while chunk := await self._chunk(response):
            body += chunk
            if len(body) > MAX_MESSAGE_BYTES:
                raise McpError("too_long")
        return bytes(body)

    async def _chunk(self, response: httpx.Response) -> bytes:
        """Return the next bytes of the body; empty at its end."""
        return self._budget.take(await response.extensions["read"]())


def _kind(response: httpx.Response) -> str:
    kind: str = response.headers.get("Content-Type", "")
    return kind.partition(";")[0].strip().lower()


def _events(decoder: SseDecoder, chunk: bytes) -> list[str]:
    try:
        return [each.data for each in decoder.feed(chunk)]
    except EventTooLong:
        raise McpError("too_long") from None
