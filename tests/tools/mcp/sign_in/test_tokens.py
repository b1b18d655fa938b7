"""Tokens of a sign-in are renewed once, whoever asks, and kept if that fails for a while."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from msgspec import structs

from chat.tools.mcp import client, listing, servers
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.models import McpServer, McpSignIn
from chat.tools.mcp.sign_in import grants
from chat.tools.mcp.sign_in.grants import Grant
from chat.tools.mcp.sign_in.tokens import RenewedTokens
from tests.support.servers.signed_in_mcp import signed_in_to
from tests.support.servers.tides_server import RunningServer, mcp_server

pytestmark = pytest.mark.usefixtures("transactional_db")


@pytest.fixture
async def tides(transactional_db: None) -> AsyncIterator[RunningServer]:
    with mcp_server(signs_in=True) as server:
        yield server


async def grant() -> Grant:
    found = grants.grant_in((await McpSignIn.objects.aget()).grant)
    assert found
    return found


async def make_old(seconds: float = -1) -> Grant:
    """Have the access token end after so many seconds."""
    old = structs.replace(await grant(), ends_at=time.time() + seconds)
    await McpSignIn.objects.aupdate(grant=grants.sealed(old))
    return old


async def tools_of(server: McpServer) -> int:
    endpoint = await sync_to_async(servers.endpoint_of)(
        await McpServer.objects.select_related("sign_in").aget(pk=server.pk)
    )
    async with client.session(endpoint, 10) as session:
        return len((await listing.read_all(session.tools())).tools)


async def test_a_token_that_ends_is_renewed_before_it_does(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    assert await tools_of(server) == 4
    assert tides.sign_ins.refreshed == 0
    old = await make_old(seconds=30)
    assert await tools_of(server) == 4
    assert tides.sign_ins.refreshed == 1
    assert (await grant()).refresh_token not in {old.refresh_token, ""}


async def test_a_token_that_is_refused_is_renewed(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    tides.sign_ins.forget_access()
    assert await tools_of(server) == 4
    assert tides.sign_ins.refreshed == 1


async def test_whoever_needs_a_new_token_at_once_it_is_renewed_once(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    await make_old()
    tides.sign_ins.delay_seconds = 0.5
    found = await asyncio.gather(
        *(RenewedTokens(server.pk, server.address).token() for _ in range(6))
    )
    assert len(set(found)) == 1
    assert tides.sign_ins.refreshed == 1


async def test_another_process_s_renewal_is_waited_for(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    old = await make_old()
    secret = (await McpSignIn.objects.aget()).grant
    assert await sync_to_async(grants.claim)(server.pk, secret)
    assert not await sync_to_async(grants.claim)(server.pk, secret)
    waiting = asyncio.create_task(RenewedTokens(server.pk, server.address).token())
    await asyncio.sleep(0.5)
    assert not waiting.done()
    new = structs.replace(old, access_token="from-the-other", ends_at=time.time() + 3600)
    await sync_to_async(grants.renew)(server.pk, secret, new)
    assert await waiting == "from-the-other"
    assert tides.sign_ins.refreshed == 0


async def test_the_claim_of_a_dead_process_ends(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    await make_old()
    await McpSignIn.objects.aupdate(renewed_until=timezone.now() - timedelta(seconds=1))
    assert await RenewedTokens(server.pk, server.address).token()
    assert tides.sign_ins.refreshed == 1


async def test_a_call_that_is_stopped_loses_no_token(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    old = await make_old()
    tides.sign_ins.delay_seconds = 1.0
    task = asyncio.create_task(RenewedTokens(server.pk, server.address).token())
    await asyncio.sleep(0.4)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    found = await RenewedTokens(server.pk, server.address).token()
    assert found != old.access_token
    assert tides.sign_ins.refreshed == 1


async def test_a_server_that_is_away_ends_no_sign_in(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    old = await make_old()
    away = structs.replace(old, token_endpoint="http://127.0.0.1:61009/token")
    await McpSignIn.objects.aupdate(grant=grants.sealed(away))
    with pytest.raises(McpError) as error:
        await RenewedTokens(server.pk, server.address).token()
    assert error.value.reason == "unreachable"
    await McpSignIn.objects.aupdate(grant=grants.sealed(old))
    assert await RenewedTokens(server.pk, server.address).token()


async def test_a_refused_renewal_ends_the_sign_in(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    await make_old()
    tides.sign_ins.forget_all()
    for _ in range(2):
        with pytest.raises(McpError) as error:
            await tools_of(server)
        assert error.value.reason == "unauthorized"
    assert (await grant()).access_token == (await grant()).refresh_token == ""


async def test_a_server_that_refuses_new_tokens_gets_no_third_one(tides: RunningServer) -> None:
    server = await signed_in_to(tides)
    load = tides.sign_ins.load_access_token

    async def nobody(token: str) -> None:
        await load(token)

    tides.sign_ins.load_access_token = nobody  # type: ignore[method-assign, assignment]
    with pytest.raises(McpError) as error:
        await tools_of(server)
    assert error.value.reason == "unauthorized"
    assert tides.sign_ins.refreshed == 1


async def test_without_a_refresh_token_it_lasts_as_long_as_it_is_taken(
    tides: RunningServer,
) -> None:
    server = await signed_in_to(tides)
    lone = structs.replace(await make_old(), refresh_token="")
    await McpSignIn.objects.aupdate(grant=grants.sealed(lone))
    assert await tools_of(server) == 4
    tides.sign_ins.forget_access()
    with pytest.raises(McpError) as error:
        await tools_of(server)
    assert error.value.reason == "unauthorized"
