"""The stored log: recovery after a process died, pruning, and database failures."""

import asyncio
import os
import re
import uuid
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.test import AsyncClient, override_settings
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.turns import add_answer, post_question, start_conversation
from chat.generations.log import frames
from chat.generations.models import Generation, LogPage, Worker
from chat.generations.process import server_process, workers
from chat.generations.result import Result
from chat.generations.storage import checkpoint
from chat.generations.storage.log_pages import (
    MAX_PAGE_BYTES,
    MAX_PAGES_PER_READ,
    frames_after,
    logged_text,
)
from chat.generations.storage.stored_stream import can_follow, read_after
from chat.generations.task import registry
from chat.lib import metrics
from tests.support.generations.follow import endless, follow, live
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import PATIENCE_SECONDS, until, written

pytestmark = pytest.mark.django_db


def running(owner: User, *texts: str, worker: Worker | None = None, base: str = "") -> Generation:
    """Create a generation left by another process, with one page for each text."""
    question = post_question(start_conversation(owner.pk), "What?", None)
    answer = add_answer(question)
    Message.objects.filter(pk=answer.pk).update(text=base)
    generation = Generation.objects.create(
        owner=owner, message=answer, worker=worker, model="m", send_key=uuid.uuid4().hex,
        send_digest="d", base_length=len(base),
    )  # fmt: skip
    for number, text in enumerate(texts, start=1):
        frame = frames.encode({"response": text}, number)
        generation.pages.create(first_seq=number, last_seq=number, frames=frame)
    return generation


def dead_worker() -> Worker:
    here = workers.register()
    Worker.objects.filter(pk=here.pk).update(pid=2**22 - 1)
    return here


def test_answers_of_a_dead_process_are_interrupted_with_their_text(alice: User) -> None:
    generation = running(alice, "Once ", "upon 🌊", worker=dead_worker())
    assert workers.close_orphans() == 1
    generation.refresh_from_db()
    assert generation.state == "interrupted"
    assert generation.length == len("Once upon 🌊")
    assert generation.message.text == "Once upon 🌊"
    assert not Worker.objects.exists()


def test_whoever_closes_an_answer_of_a_dead_process_counts_it(alice: User) -> None:
    line = re.compile(rb'^runnel_answers_total\{state="interrupted"\} ([\d.]+)$', re.MULTILINE)
    before = line.findall(metrics.render())
    running(alice, "Once ", worker=dead_worker())
    running(alice, "Twice ", worker=dead_worker())
    workers.close_orphans()
    after = line.findall(metrics.render())
    assert float(after[0]) - float(before[0]) == 2
    workers.close_orphans()
    assert line.findall(metrics.render()) == after


def test_a_continued_answer_keeps_its_earlier_text(alice: User) -> None:
    generation = running(alice, "a time", worker=dead_worker(), base="Once upon ")
    workers.close_orphans()
    assert Message.objects.get(pk=generation.message_id).text == "Once upon a time"


def test_answers_of_a_living_process_are_left_alone(alice: User) -> None:
    generation = running(alice, "x", worker=workers.register())
    assert workers.close_orphans() == 0
    generation.refresh_from_db()
    assert generation.state == "running"


def test_a_reused_pid_does_not_count_as_alive(alice: User) -> None:
    worker = workers.register()
    Worker.objects.filter(pk=worker.pk).update(process_started="12345")
    running(alice, "x", worker=worker)
    assert workers.close_orphans() == 1


@pytest.mark.parametrize(("age_seconds", "closed"), [(60, 1), (3, 0)])
def test_a_process_on_another_host_is_dead_when_its_heartbeat_is_old(
    age_seconds: int, closed: int, alice: User
) -> None:
    beat = timezone.now() - timedelta(seconds=age_seconds)
    worker = Worker.objects.create(host="elsewhere", pid=1, process_started="1", heartbeat_at=beat)
    running(alice, "x", worker=worker)
    assert workers.close_orphans() == closed


def test_only_the_first_process_to_end_an_answer_succeeds(alice: User) -> None:
    generation = running(alice, "kept")
    assert checkpoint.close(generation.id, Result("complete", 4, 1), "kept", "")
    assert not checkpoint.close(generation.id, Result("stopped", 0, 0), "lost", "")
    generation.refresh_from_db()
    assert (generation.state, generation.message.text) == ("complete", "kept")


def test_an_answer_that_cannot_be_stored_does_not_stop_the_others(alice: User) -> None:
    good, bad = running(alice), running(alice)
    frame = frames.encode({"response": "ok"}, 1)
    pages = [
        checkpoint.Checkpoint(each.id, seq, seq, frame)
        for each, seq in ((good, 1), (bad, 2**70))  # no column takes this
    ]
    written = checkpoint.write(pages, [good.id, bad.id])
    assert written.offenders == {bad.id}
    assert logged_text(good.id).text == "ok"


def test_a_flush_that_was_stored_without_our_knowing_is_repeated(alice: User) -> None:
    generation = running(alice)
    many = [frames.encode({"response": f"{n} "}, n) for n in range(1, 9)]
    ended = Result("complete", 16, 8)
    for count, result in ((3, None), (5, None), (8, ended), (8, ended)):
        page = checkpoint.Checkpoint(
            generation.id, 1, count, b"".join(many[:count]), result, "1 2 3 4 5 6 7 8 "
        )
        assert checkpoint.write([page], [generation.id]).offenders == set()
    assert frames_after(generation.id, 0).frames == b"".join(many)
    generation.refresh_from_db()
    assert (generation.state, generation.message.text) == ("complete", "1 2 3 4 5 6 7 8 ")


def test_stored_frames_are_read_from_any_position(alice: User) -> None:
    generation = running(alice)
    six = [frames.encode({"response": str(n)}, n) for n in range(1, 7)]
    generation.pages.create(first_seq=1, last_seq=4, frames=b"".join(six[:4]))
    generation.pages.create(first_seq=5, last_seq=6, frames=b"".join(six[4:]))
    for after in range(8):
        found = frames_after(generation.id, after)
        assert found.frames == b"".join(six[after:])
        assert found.last_seq == max(after, 6)


def test_a_long_answer_is_read_in_parts_of_limited_size(alice: User) -> None:
    generation = running(alice)
    long = [frames.encode({"response": f"{n} " * 400}, n) for n in range(1, 901)]
    huge = frames.encode({"response": "x" * 300_000}, 901)
    whole = b"".join([*long, huge])
    checkpoint.write([checkpoint.Checkpoint(generation.id, 1, 901, whole)], [])
    checkpoint.close(generation.id, Result("complete", 4, 901), "text", "")
    parts = [read_after(generation.id, 0)]
    while not parts[-1].is_end:
        assert parts[-1].has_more
        parts.append(read_after(generation.id, parts[-1].after))
    assert b"".join(each.frames for each in parts).startswith(whole)
    assert len(parts) > 3
    assert max(len(each.frames) for each in parts) <= MAX_PAGES_PER_READ * MAX_PAGE_BYTES + len(
        huge
    )


def test_pruned_logs_cannot_be_resumed(alice: User) -> None:
    generation = running(alice, "a", "b")
    checkpoint.close(generation.id, Result("complete", 2, 2), "ab", "")
    assert workers.prune(600) == 0
    assert can_follow(generation.id, 1)
    Generation.objects.update(ended_at=timezone.now() - timedelta(seconds=700))
    LogPage.objects.update(written_at=timezone.now() - timedelta(seconds=700))
    running(alice, "still being written")
    assert workers.prune(600) == 2
    assert not can_follow(generation.id, 1)
    assert can_follow(generation.id, 2)  # the terminal frames
    assert not can_follow(generation.id, 4)  # after [DONE]
    assert b'"state":"complete"' in read_after(generation.id, 99).frames


async def test_a_database_failure_delays_storage_but_loses_nothing(
    alice_client: AsyncClient,
) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        locked = OperationalError("locked")
        with patch.object(checkpoint, "_write_all", side_effect=locked) as write:
            reading = asyncio.create_task(read_stream(response))
            await until(lambda: write.called)
            live(response).stop()
            tried = write.call_count
            await until(lambda: write.call_count > tried + 1)
            assert not reading.done()
        stream = await reading
    message = await Message.objects.aget(id=response["X-Message-Id"])
    assert message.text == stream.text
    assert stream.key("state") == "stopped"


async def test_another_process_follows_and_stops_an_answer_through_the_database(
    alice_client: AsyncClient,
) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        generation_id = uuid.UUID(response["X-Generation-Id"])
        entry = registry._entries.pop(generation_id)  # as if another process ran it
        heard: list[bytes] = []
        following = await follow(alice_client, str(generation_id))
        elsewhere = asyncio.create_task(read_stream(following, heard))
        await until(lambda: len(heard) > 1)
        stopped = await alice_client.post(f"/generations/{generation_id}/cancellation")
        assert stopped.status_code == 200
        stream = await asyncio.wait_for(elsewhere, PATIENCE_SECONDS)
        registry._entries[generation_id] = entry
        here = await read_stream(response)
    assert stream.events() == here.events()
    assert stream.key("state") == "stopped"


async def test_a_process_that_shuts_down_stores_all_text_but_sends_no_done(
    alice_client: AsyncClient,
) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        heard: list[bytes] = []
        reading = asyncio.create_task(read_stream(response, heard))
        await until(lambda: len(heard) > 1)
        await server_process.end()
        stream = await reading
    assert not stream.done
    generation = await Generation.objects.aget(id=response["X-Generation-Id"])
    message = await Message.objects.aget(id=response["X-Message-Id"])
    assert generation.state == "interrupted"
    assert message.text.startswith(stream.text)
    assert len(message.text) - len(stream.text) < 500
    assert not await Worker.objects.filter(pid=os.getpid()).aexists()


async def test_a_process_that_shuts_down_refuses_new_answers(alice_client: AsyncClient) -> None:
    server_process.current().refuses_work = True
    response = await send(alice_client, text="Too late")
    assert response.status_code == 503
    assert response["Retry-After"] == "2"
    assert not await Message.objects.aexists()


@pytest.mark.parametrize("how", ["disabled", "deleted", "signed out"])
async def test_a_reader_who_loses_access_is_disconnected(
    how: str, alice: User, alice_client: AsyncClient
) -> None:
    with override_settings(STREAM_REAUTH_SECONDS=0.1):
        async with site_with(endless()):
            response = await send(alice_client, text="Go")
            heard: list[bytes] = []
            reading = asyncio.create_task(read_stream(response, heard))
            await until(lambda: heard)
            if how == "disabled":
                await User.objects.filter(pk=alice.pk).aupdate(is_active=False)
            elif how == "deleted":
                await User.objects.filter(pk=alice.pk).adelete()
            else:
                await alice_client.alogout()
            stream = await asyncio.wait_for(reading, PATIENCE_SECONDS)
            assert not stream.done


async def test_a_deleted_answer_ends_without_done(alice_client: AsyncClient) -> None:
    async with site_with(endless()) as raw:
        response = await send(alice_client, text="Go")
        await written(response)
        await Conversation.objects.all().adelete()
        stream = await read_stream(response)
        await asyncio.wait_for(raw.closed.wait(), PATIENCE_SECONDS)
    assert stream.text
    assert not stream.done
    resumed = await follow(alice_client, response["X-Generation-Id"], after=stream.ids[-1])
    assert resumed.status_code == 404


async def test_deleting_a_conversation_stops_its_running_answer(alice_client: AsyncClient) -> None:
    async with site_with(endless()) as raw:
        response = await send(alice_client, text="Go")
        await written(response)
        deletion = await alice_client.post(f"/chat/{response['X-Conversation-Id']}/deletion/")
        assert deletion.status_code in {200, 302}
        async with asyncio.timeout(PATIENCE_SECONDS):
            await raw.closed.wait()
            stream = await read_stream(response)
    assert stream.key("state") == "stopped"
