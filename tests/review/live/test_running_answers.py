"""Live view: the list of running answers, watching one, and stopping it, all logged."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Permission
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.billing.pricing import cost_usd, usage_of
from chat.generations.delivery import readers
from chat.generations.models import Generation, LogPage
from chat.generations.process import server_process
from chat.generations.task import registry
from chat.lib.sse import SseDecoder
from chat.quotas.models import Charge
from chat.review.live.running_answers import running
from chat.review.models import AccessLogEntry
from chat.review.staff.roles import reviewer_of
from chat.upstream import available_models
from tests.review.conftest import recorded_actions
from tests.support.generations.follow import endless
from tests.support.generations.send import send
from tests.support.generations.stream_reader import Stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import until
from tests.support.web.access_paths import state_reason
from tests.support.web.signed_in import signed_in_client


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "WATCH_SECONDS", 0.02)


@pytest.fixture
async def rita_client(reviewer: User, stop_server_process: None) -> AsyncClient:
    client = await sync_to_async(signed_in_client)(reviewer)
    await state_reason(client)
    return client


@pytest.fixture
async def hers(alice_client: AsyncClient) -> AsyncIterator[Any]:
    """Send a message as alice, and return the running answer."""
    async with site_with(endless()):
        sent: Any = await send(alice_client, text="zephyrquartz, where?")
        sent.page = aiter(sent)
        await anext(sent.page)
        yield sent
        await sent.page.aclose()


def live_path(sent: Any) -> str:
    return f"/review/{sent['X-Conversation-Id']}/live/{sent['X-Generation-Id']}/"


async def read_some(chunks: Any, stream: Stream, words: int) -> None:
    decoder = SseDecoder()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while stream.text.count("word") < words:
            stream.feed(decoder, await anext(chunks))


async def looks(kind: str) -> int:
    return await AccessLogEntry.objects.filter(kind=kind).acount()


async def test_the_list_shows_running_answers_and_logs_each_chat_once(
    hers: Any, rita_client: AsyncClient
) -> None:
    page = await rita_client.get("/review/live/")
    assert "zephyrquartz" in page.content.decode()
    assert "connect-src 'self'" in page["Content-Security-Policy"]
    assert await looks("listed") == 1
    number = hers["X-Message-Id"]
    for _ in range(3):
        found = await rita_client.get(f"/review/live/now/?known={number}")
        assert "zephyrquartz" not in found.content.decode()
        assert "Alice" not in found.content.decode()
        (row,) = found.json()["rows"]
        assert set(row["figures"]) == {"model", "age", "tokens", "speed", "cost"}
    assert await looks("listed") == 1
    assert "zephyrquartz" in (await rita_client.get("/review/live/now/")).content.decode()
    assert await looks("listed") == 2


async def test_figures_appear_once_tokens_arrive(hers: Any, rita_client: AsyncClient) -> None:
    async def row_with_figures() -> Any:
        (row,) = (await rita_client.get("/review/live/now/")).json()["rows"]
        return row if row["figures"]["tokens"] != "–" else None

    row = await until(row_with_figures)
    assert row["figures"]["speed"] != "–"


async def test_what_was_written_before_a_call_is_in_the_cost_once(
    hers: Any, rita_client: AsyncClient, reviewer: User
) -> None:
    answer = int(hers["X-Message-Id"])

    async def pages() -> list[LogPage]:
        return [each async for each in LogPage.objects.order_by("last_seq")]

    *_, last = await until(pages)
    await StoredToolCall.objects.acreate(
        message_id=answer, place=0, round=0, tool="calculator", state="done",
        proposed_at=last.written_at,
    )  # fmt: skip
    await Charge.objects.aupdate(used_microdollars=500_000)
    known = await sync_to_async(reviewer_of)(reviewer)
    assert known
    ((row,), _count) = await sync_to_async(running)(known)
    charge, model = await Charge.objects.aget(), available_models.known(row.model)
    unpaid = row.tokens + 1 - last.last_seq
    expected = cost_usd(model, usage_of(charge.prompt_tokens, unpaid))
    assert expected is not None
    assert row.cost_usd == pytest.approx(0.5 + expected, abs=1e-12)


async def test_answers_out_of_scope_or_ended_are_not_listed(
    hers: Any, rita_client: AsyncClient, bob_client: AsyncClient, alice_client: AsyncClient
) -> None:
    his: Any = aiter(await send(bob_client, text="pumpernickel, how?"))
    await anext(his)
    shown = (await rita_client.get("/review/live/")).content.decode()
    assert "pumpernickel" not in shown
    await his.aclose()
    await alice_client.post(f"/generations/{hers['X-Generation-Id']}/cancellation")

    async def nothing_runs() -> bool:
        return not (await rita_client.get("/review/live/now/")).json()["rows"]

    await until(nothing_runs)
    assert "No answers in progress" in (await rita_client.get("/review/live/")).content.decode()


@pytest.mark.parametrize("known", ["x", "1,,x", "-1", "9" * 19, ",".join("1" * 201)])
async def test_an_invalid_list_of_known_messages_is_refused(
    rita_client: AsyncClient, known: str
) -> None:
    assert (await rita_client.get(f"/review/live/now/?known={known}")).status_code == 400


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_watching_does_not_count_as_reading_by_the_owner(
    hers: Any, rita_client: AsyncClient, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both from memory and from the database."""
    generation_id = Generation.objects.values_list("pk", flat=True)
    live = registry.find(await generation_id.aget())
    assert live
    if elsewhere:
        monkeypatch.setattr("chat.generations.delivery.responses.registry.find", lambda _id: None)
    before = live.subscribers, await looks("watched")
    watched: Any = aiter(await rita_client.get(live_path(hers)))
    stream = Stream()
    await read_some(watched, stream, 5)
    assert (live.subscribers, before[1] + 1) == (before[0], await looks("watched"))
    viewer = next(each for each in server_process.current().subscribers._open if each.watching)
    seen = (await Generation.objects.aget()).last_seen_at
    await server_process.current().subscribers.recheck()
    assert not viewer.left
    assert viewer.generation_id == live.id
    await hers.page.aclose()
    seen = (await Generation.objects.aget()).last_seen_at
    await server_process.current().subscribers.recheck()
    assert (await Generation.objects.aget()).last_seen_at == seen  # the owner's page has gone
    after = {"Last-Event-ID": str(stream.ids[2])}
    again: Any = aiter(await rita_client.get(live_path(hers), headers=after))
    rest = Stream()
    await read_some(again, rest, 3)
    assert rest.ids[0] == stream.ids[3]
    assert await looks("watched") == before[1] + 2
    await watched.aclose()
    await again.aclose()


async def test_a_watcher_does_not_keep_a_visitors_answer_running(
    hers: Any, rita_client: AsyncClient
) -> None:
    live = next(iter(registry.running()))
    watched: Any = aiter(await rita_client.get(live_path(hers)))
    await read_some(watched, Stream(), 2)
    await hers.page.aclose()
    assert live.subscribers == 0


@pytest.mark.parametrize("loss", ["right", "scope", "account"])
async def test_a_watcher_who_loses_the_permission_is_disconnected(
    hers: Any, rita_client: AsyncClient, reviewer: User, loss: str
) -> None:
    watched: Any = aiter(await rita_client.get(live_path(hers)))
    await read_some(watched, Stream(), 2)
    if loss == "right":
        await reviewer.user_permissions.aclear()
    elif loss == "scope":
        await reviewer.review_scopes.all().adelete()
    else:
        await User.objects.filter(pk=reviewer.pk).aupdate(is_active=False)
    await server_process.current().subscribers.recheck()
    async with asyncio.timeout(PATIENCE_SECONDS):
        rest = b"".join([chunk async for chunk in watched])
    assert b"[DONE]" not in rest
    status = (await rita_client.get(live_path(hers))).status_code
    assert status == (302 if loss == "account" else 404)


def test_the_permission_is_checked_often_enough(settings: Settings) -> None:
    assert settings.STREAM_REAUTH_SECONDS <= 15


async def test_a_stopped_answer_tells_its_owner_that_staff_stopped_it(
    hers: Any, rita_client: AsyncClient, alice_client: AsyncClient
) -> None:
    place = hers["X-Conversation-Id"]
    answer = await rita_client.post(f"/review/{place}/stop/")
    assert answer.status_code == 302
    stream, decoder = Stream(), SseDecoder()
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for chunk in hers.page:
            stream.feed(decoder, chunk)
    assert stream.key("state") == "stopped"
    assert stream.key("error")["code"] == "stopped_by_staff"
    assert stream.key("error")["retryable"] is False
    kept = await alice_client.get(f"/chat/{place}/", headers={"Accept": "application/json"})
    said = kept.json()["turns"][-1]
    assert said["state"] == "stopped"
    assert said["text"].startswith("word")
    assert said["error"]["message"] == "Staff stopped this answer."
    action = await recorded_actions().aget()
    assert (action.kind, action.message) == ("stopped", int(hers["X-Message-Id"]))
    assert action.reason == "A report of today"
    await rita_client.post(f"/review/{place}/stop/")  # over already
    assert await recorded_actions().acount() == 1


async def test_new_messages_are_sent_and_logged_once(hers: Any, rita_client: AsyncClient) -> None:
    place, question = hers["X-Conversation-Id"], hers["X-Question-Id"]
    path = f"/review/{place}/updates/?after="
    found = (await rita_client.get(f"{path}{question}")).json()
    assert [turn["state"] for turn in found["turns"]] == ["running"]
    assert await looks("watched") == 1
    nothing = (await rita_client.get(f"{path}{hers['X-Message-Id']}")).json()
    assert nothing["turns"] == []
    assert await looks("watched") == 1
    assert "zephyrquartz" in json.dumps((await rita_client.get(f"{path}0")).json())
    assert await looks("watched") == 3
    assert (await rita_client.get(f"{path}999999")).json()["is_elsewhere"]


async def test_the_page_may_connect_only_while_the_chat_is_in_progress(
    hers: Any, rita_client: AsyncClient
) -> None:
    from chat.conversations.models import Conversation

    path = f"/review/{hers['X-Conversation-Id']}/"
    assert "connect-src 'self'" in (await rita_client.get(path))["Content-Security-Policy"]
    await rita_client.post(f"{path}stop/")
    await hers.page.aclose()
    await next(iter(registry.running())).done() if registry.running() else None
    await Conversation.objects.aupdate(updated_at="2026-01-01T00:00:00Z")

    async def may_connect_nowhere() -> bool:
        return "connect-src 'none'" in (await rita_client.get(path))["Content-Security-Policy"]

    await until(may_connect_nowhere)


async def test_a_member_without_the_permission_gets_404(hers: Any, bob_client: AsyncClient) -> None:
    assert await Permission.objects.filter(codename="review").aexists()
    for path in ("/review/live/", "/review/live/now/", live_path(hers)):
        assert (await bob_client.get(path)).status_code == 404
