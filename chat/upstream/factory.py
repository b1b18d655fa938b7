"""Create the provider's client from the settings, one per event loop."""

import asyncio
from weakref import WeakKeyDictionary

import httpx
from django.conf import settings
from django.utils.module_loading import import_string

from chat.upstream.answer_deadline import Timeouts
from chat.upstream.client import Upstream
from chat.upstream.request import Address, GatewayOptions
from chat.upstream.sockets.socket_transport import SocketTransport

CLOUDFLARE = "https://api.cloudflare.com/client/v4"
EMULATOR = "http://emulator.invalid/client/v4"

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Upstream] = WeakKeyDictionary()


def uses_emulator() -> bool:
    """Return whether the emulator is used, because neither an address nor a token is set."""
    return not (settings.WORKERS_AI_BASE_URL or settings.CLOUDFLARE_API_TOKEN)


def current() -> Upstream:
    """Return the client of the running event loop, creating it if necessary."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        _clients[loop] = Upstream(address(), _transport(), timeouts())
    return _clients[loop]


def addresses() -> dict[str, Address]:
    """Return the addresses of all providers by name; the one in the settings has none."""
    return {"": address()}


def open_client(provider: Address, time_limits: Timeouts) -> Upstream:
    """Return a client for a few requests, to be closed by the caller."""
    return Upstream(provider, _transport(), time_limits)


async def close() -> None:
    """Close the running loop's client, if it has one."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client:
        await client.aclose()


def address() -> Address:
    """Return the provider's address and credentials from the settings."""
    base_url = settings.WORKERS_AI_BASE_URL or (EMULATOR if uses_emulator() else CLOUDFLARE)
    return Address(
        base_url=base_url,
        account_id=settings.CLOUDFLARE_ACCOUNT_ID or "emulator",
        token=settings.CLOUDFLARE_API_TOKEN,
        is_workers_ai=_is_workers_ai(base_url),
        gateway=_gateway(),
    )


def _is_workers_ai(base_url: str) -> bool:
    if settings.UPSTREAM_PROTOCOL == "auto":
        return base_url.endswith("/client/v4")
    return bool(settings.UPSTREAM_PROTOCOL == "workers-ai")


def _gateway() -> GatewayOptions:
    return GatewayOptions(
        id=settings.AI_GATEWAY_ID,
        token=settings.AI_GATEWAY_TOKEN,
        cache_seconds=settings.AI_GATEWAY_CACHE_SECONDS,
        skip_cache=settings.AI_GATEWAY_SKIP_CACHE,
        metadata=settings.AI_GATEWAY_METADATA,
        attempts=settings.AI_GATEWAY_ATTEMPTS,
        retry_milliseconds=settings.AI_GATEWAY_RETRY_MILLISECONDS,
        timeout_milliseconds=settings.AI_GATEWAY_TIMEOUT_MILLISECONDS,
    )


def timeouts() -> Timeouts:
    """Return the time limits from the settings."""
    return Timeouts(
        connect=settings.UPSTREAM_CONNECT_SECONDS,
        first_byte=settings.UPSTREAM_FIRST_BYTE_SECONDS,
        idle=settings.UPSTREAM_IDLE_SECONDS,
        content=settings.UPSTREAM_CONTENT_SECONDS,
        answer=settings.UPSTREAM_ANSWER_SECONDS,
    )


def _transport() -> httpx.AsyncBaseTransport:
    if uses_emulator():
        transport: httpx.AsyncBaseTransport = import_string(settings.EMULATOR_TRANSPORT)()
        return transport
    return network_transport(settings.UPSTREAM_CONNECTIONS)


def network_transport(max_connections: int) -> httpx.AsyncBaseTransport:
    """Return a transport over real sockets; 0 connections means no limit."""
    return SocketTransport(max_connections)
