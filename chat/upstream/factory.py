"""Create the providers' clients from the settings, one each per event loop.

The main provider, whose name is empty, is the environment's, else the one that an administrator has
connected in the page, else the emulator.
"""

import asyncio
from weakref import WeakKeyDictionary

import httpx
from django.conf import settings
from django.utils.module_loading import import_string

from chat.lib.catalogue import ProvidedModel, Provider
from chat.site_settings import effective
from chat.site_settings.provider_address import may_connect
from chat.site_settings.provider_connection import CLOUDFLARE, ProviderConnection
from chat.upstream.answer_deadline import Timeouts
from chat.upstream.client import Upstream
from chat.upstream.request import GatewayOptions, ProviderEndpoint
from chat.upstream.sockets.transport import SocketTransport

#: Of Cloudflare, per minute.
USUAL_REQUEST_LIMIT = 300
EMULATOR = "http://emulator.invalid/client/v4"

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Upstream]] = WeakKeyDictionary()


def uses_emulator(provider: str = "") -> bool:
    """Return whether the emulator answers for this provider.

    It stands in for the main provider if none is connected.
    """
    return not (provider or effective.is_provider_in_environment() or effective.connection())


def client_for(model: ProvidedModel) -> Upstream:
    """Return the running event loop's client of the model's provider."""
    return client_of(model.provider)


def client_of(name: str) -> Upstream:
    """Return the running event loop's client of a provider; create it if necessary.

    One whose address or token has changed is replaced. Running answers still use the old one, whose
    idle connections then expire.
    """
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    present = endpoint(name)
    client = clients.get(name)
    if client is None or client.endpoint != present:
        client = clients[name] = Upstream(present, _transport(name), timeouts())
    return client


def names() -> list[str]:
    """Return the names of all providers in use; the one in the settings has an empty name."""
    is_default_used = any(not model.provider for model in settings.MODELS.values())
    return [*([""] if is_default_used else []), *settings.PROVIDERS]


def open_client(provider: str, time_limits: Timeouts) -> Upstream:
    """Return a client of a provider for a few requests, to be closed by the caller."""
    return Upstream(endpoint(provider), _transport(provider), time_limits)


def open_trial_client(connection: ProviderConnection, time_limits: Timeouts) -> Upstream:
    """Return a client of a connection that is not in use yet, to be closed by the caller."""
    return Upstream(_entered_endpoint(connection), _entered_transport(), time_limits)


async def close() -> None:
    """Close the running loop's clients, if it has any."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.aclose()


def endpoint(provider: str = "") -> ProviderEndpoint:
    """Return where and how a provider is reached, with its credentials."""
    if provider:
        return _endpoint_of(settings.PROVIDERS[provider])
    if connection := effective.connection():
        return _entered_endpoint(connection)
    base_url = settings.WORKERS_AI_BASE_URL or (EMULATOR if uses_emulator() else CLOUDFLARE)
    return ProviderEndpoint(
        base_url=base_url,
        account_id=settings.CLOUDFLARE_ACCOUNT_ID or "emulator",
        token=settings.CLOUDFLARE_API_TOKEN,
        is_workers_ai=_is_workers_ai(base_url),
        gateway=_gateway(settings.AI_GATEWAY_ID, settings.AI_GATEWAY_TOKEN),
    )


def _entered_endpoint(connection: ProviderConnection) -> ProviderEndpoint:
    return ProviderEndpoint(
        base_url=connection.base_url,
        account_id=connection.account_id,
        token=connection.token,
        is_workers_ai=connection.is_workers_ai,
        gateway=_gateway(settings.AI_GATEWAY_ID, settings.AI_GATEWAY_TOKEN),
    )


def _endpoint_of(provider: Provider) -> ProviderEndpoint:
    tokens = settings.PROVIDER_TOKENS
    return ProviderEndpoint(
        base_url=provider.base_url,
        account_id=provider.account_id,
        token=tokens.get(provider.token_variable, ""),
        is_workers_ai=provider.is_workers_ai,
        gateway=_gateway(provider.gateway, tokens.get(provider.gateway_token_variable, "")),
    )


def requests_per_minute(provider: str) -> int:
    """Return the limit of requests to a provider; 0 means no limit."""
    if provider:
        return int(settings.PROVIDERS[provider].requests_per_minute)
    connection = effective.connection()
    is_limited = effective.is_from_environment("UPSTREAM_REQUESTS_PER_MINUTE")
    if connection and connection.base_url == CLOUDFLARE and not is_limited:
        return USUAL_REQUEST_LIMIT
    return int(settings.UPSTREAM_REQUESTS_PER_MINUTE)


def _is_workers_ai(base_url: str) -> bool:
    if settings.UPSTREAM_PROTOCOL == "auto":
        return base_url.endswith("/client/v4")
    return bool(settings.UPSTREAM_PROTOCOL == "workers-ai")


def _gateway(gateway_id: str, token: str) -> GatewayOptions:
    return GatewayOptions(
        id=gateway_id,
        token=token,
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


def emulator_transport() -> httpx.AsyncBaseTransport:
    """Return a transport to the emulator."""
    transport: httpx.AsyncBaseTransport = import_string(settings.EMULATOR_TRANSPORT)()
    return transport


def _transport(provider: str) -> httpx.AsyncBaseTransport:
    if uses_emulator(provider):
        return emulator_transport()
    if not provider and effective.connection():
        return _entered_transport()
    return network_transport(settings.UPSTREAM_CONNECTIONS)


def _entered_transport() -> httpx.AsyncBaseTransport:
    """Return a transport for an address that was typed in the page, which may lead anywhere."""
    return SocketTransport(settings.UPSTREAM_CONNECTIONS, may_connect=may_connect)


def network_transport(max_connections: int) -> httpx.AsyncBaseTransport:
    """Return a transport over real sockets; 0 connections means no limit."""
    return SocketTransport(max_connections)
