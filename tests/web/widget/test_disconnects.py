"""When a site is suspended or a visitor leaves, streams end and answers stop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import IntegrityError
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.generations.process import server_process
from chat.generations.task import registry
from chat.generations.task.task import GenerationTask as Live
from chat.widget_sites import suspension
from chat.widget_sites.models import Visitor, VisitorToken, WidgetSite
from tests.support.generations.follow import endless, live
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import PATIENCE_SECONDS, written
from tests.support.web.relay import ask
from tests.support.widget.visitor_client import HOST, Visiting


@pytest.fixture(autouse=True)
async def talkative(stop_server_process: None) -> AsyncIterator[None]:
    """Use an endless model."""
    async with site_with(endless()):
        yield


@pytest.fixture
def rechecked(settings: Settings) -> None:
    settings.STREAM_REAUTH_SECONDS = 0.05


@pytest.fixture
def quick(rechecked: None, settings: Settings) -> None:
    settings.VISITOR_ABANDONED_AFTER_SECONDS = 0.1


async def ends_without_farewell(response: Any) -> bool:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return not (await read_stream(response)).done


async def ended(generation: Live) -> str:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await generation.done()
    return generation.state


async def test_streams_of_a_suspended_site_end(
    rechecked: None, shop: WidgetSite, vera: Visiting
) -> None:
    stored, stateless = await vera.send(), await ask(shop, origin=HOST)
    reading = [asyncio.create_task(ends_without_farewell(each)) for each in (stored, stateless)]
    await written(stored)
    await written(stateless)
    await sync_to_async(suspension.suspend)(shop, None)
    assert all(await asyncio.gather(*reading))
    assert (await vera.get(f"generations/{stored['X-Generation-Id']}/stream")).status_code == 404


async def removed(account: int) -> None:
    """Delete a visitor, retrying while a running answer adds log pages."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await Visitor.objects.filter(user=account).aexists():
            with suppress(IntegrityError):
                await Visitor.objects.filter(user=account).adelete()


@pytest.mark.parametrize("what", ["token", "visitor", "owner", "shutdown"])
async def test_a_stream_ends_when_access_is_lost(
    what: str, rechecked: None, alice: User, shop: WidgetSite, vera: Visiting, victor: Visiting
) -> None:
    hers, his = await vera.send(), await victor.send()
    account = (await Generation.objects.aget(id=hers["X-Generation-Id"])).owner_id
    if what == "token":
        await VisitorToken.objects.filter(visitor__user=account).adelete()
    elif what == "visitor":
        await removed(account)
    elif what == "shutdown":
        await vera.post("shutdown")
    else:
        await User.objects.filter(pk=alice.pk).aupdate(is_active=False)
    reading = asyncio.create_task(read_stream(his))
    assert await ends_without_farewell(hers)
    await server_process.current().subscribers.recheck()
    live(his).stop()
    assert (await reading).done is (what != "owner")


async def test_a_new_token_does_not_end_a_stream(rechecked: None, vera: Visiting) -> None:
    response = await vera.send()
    reading = asyncio.create_task(read_stream(response))
    await vera.begin()
    await server_process.current().subscribers.recheck()
    assert live(response).state == "running"
    live(response).stop()
    assert (await reading).done


async def test_an_answer_whose_visitor_left_is_stopped_and_kept(
    quick: None, vera: Visiting
) -> None:
    response = await vera.send()
    reader = aiter(response)
    await anext(reader)
    await reader.aclose()
    assert await ended(live(response)) == "stopped"
    shown = (await vera.get(f"conversations/{response['X-Conversation-Id']}")).json()
    assert shown["turns"][1]["state"] == "stopped"


async def test_an_answer_read_in_another_process_continues(quick: None, vera: Visiting) -> None:
    response = await vera.send()
    reader = aiter(response)
    await anext(reader)
    await reader.aclose()
    await Generation.objects.aupdate(last_seen_at=timezone.now() + timedelta(hours=1))
    await asyncio.sleep(0.5)
    assert live(response).state == "running"
    await Generation.objects.aupdate(last_seen_at=timezone.now() - timedelta(hours=1))
    assert await ended(live(response)) == "stopped"
    assert registry._asking.are_done
