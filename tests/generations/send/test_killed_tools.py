"""A process is killed while an answer uses a tool: no call is lost, and none runs twice."""

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.models import Message
from chat.conversations.tool_calls.calls import ENDED
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.models import Generation
from chat.generations.process import workers
from chat.tools import remember
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.generations.tool_steps import (
    MODEL,
    TEXT,
    Death,
    Step,
    Steps,
    count_effects,
)
from tests.support.servers.server import environment

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

FACT = "I am a vegetarian"
#: The steps by how the call is to end.
COURSES = {
    "done": ["ask", "allow", "resume"],
    "failed": ["ask", "allow", "resume"],
    "refused": ["ask", "refuse", "resume"],
}
CALLS = "chat.conversations.tool_calls.calls"
EVENTS = "chat.generations.send.answer_events"
CHARGING = "chat.generations.billing.charging"

AFTER_IT_RAN = ("done", "resume", Death("chat.tools.remember", "remember", "after"))
PROPOSED = ("done", "ask", Death(CALLS, "add", "after"))
#: The step and where in it, before and after each of the six states is stored.
DEATHS = [
    ("done", "ask", Death(CALLS, "add", "before")),
    PROPOSED,
    ("done", "allow", Death(CALLS, "decide", "before")),
    ("done", "allow", Death("chat.generations.send.tool_decisions", "_allow", "after")),
    ("done", "resume", Death(EVENTS, "start_again", "before")),  # approved
    ("done", "resume", Death(EVENTS, "start_again", "after")),  # running
    ("done", "resume", Death("chat.tools.remember", "remember", "before")),
    AFTER_IT_RAN,
    ("done", "resume", Death(CALLS, "finish", "before")),
    ("done", "resume", Death(CALLS, "finish", "after")),  # not committed
    ("done", "resume", Death(CHARGING, "extend", "before")),  # done
    ("failed", "resume", Death(CALLS, "finish", "after")),  # not committed
    ("failed", "resume", Death(CHARGING, "extend", "before")),  # failed
    ("refused", "refuse", Death(CALLS, "decide", "before")),
    ("refused", "refuse", Death(CALLS, "decide", "after")),  # not committed
    ("refused", "resume", Death(EVENTS, "start_again", "before")),  # refused
    ("refused", "resume", Death(EVENTS, "start_again", "after")),
]
#: Threads of the process get on differently each time.
KILLS = int(os.environ.get("KILLS", "50"))
LONGEST_SECONDS = 0.5


class Remembering:
    """A member who has a model remember something, with processes that may be killed."""

    def __init__(self, user: User, client: AsyncClient, folder: Path, steps: Steps) -> None:
        self.user, self.client, self.steps = user, client, steps
        self.effects_file = folder / "effects"
        self.course = "done"

    @property
    def effects(self) -> int:
        return len(self.effects_file.read_text()) if self.effects_file.exists() else 0

    async def run(self, kind: str, **how: Any) -> int:
        """Do a step in a process of its own; return its exit code."""
        subject, is_failing = await self.subject(kind), self.course == "failed"
        step = Step(kind, subject, self.user.pk, self.effects_file, is_failing=is_failing, **how)
        return await asyncio.to_thread(self.steps.run, step)

    async def subject(self, step: str) -> str:
        """Return what a step is about; empty for a first question."""
        if step in {"allow", "refuse"}:
            call = await StoredToolCall.objects.alast()
            return str(call.pk) if call else ""
        answer = await Message.objects.filter(role="assistant").alast()
        return f"{answer.conversation_id} {answer.pk}" if answer else ""

    async def go_on(self) -> None:
        """Do what a person would do until the answer has ended well."""
        for _attempt in range(6):
            await sync_to_async(workers.close_orphans)()
            subject = await self.subject("resume")
            if not subject:
                return await self._ask()
            conversation, answer = subject.split()
            for call in [each async for each in StoredToolCall.objects.exclude(state__in=ENDED)]:
                if call.state != StoredToolCall.State.APPROVED:
                    # They have looked whether it was done, and refuse it then.
                    is_done = self.effects or await self.memories()
                    is_allowed = self.course != "refused" and not is_done
                    path = f"/chat/tool-calls/{call.pk}/decision"
                    body = {"is_allowed": is_allowed}
                    await self.client.post(path, body, content_type="application/json")
            response = await send(self.client, conversation, resume=int(answer))
            assert response.status_code == 200, response.content
            await read_stream(response)
            last = await Generation.objects.filter(message=int(answer)).alatest("started_at")
            if last.state == "complete" and last.finish_reason != "tool_calls":
                return None
        raise AssertionError("it never ends")

    async def memories(self) -> str:
        await self.user.arefresh_from_db()
        return Preferences.of(self.user).memories

    async def _ask(self) -> None:
        await read_stream(await send(self.client, text=TEXT, site_tools=["remember"], model=MODEL))
        await self.go_on()

    async def check(self) -> None:
        """Nothing was lost: it was done, once, here or in the process that was killed.

        That process may have died before it could count what it did.
        """
        assert await self.memories() == (FACT if self.course == "done" else "")
        most = int(self.course != "refused")
        assert self.effects in ({0, 1} if self.course == "done" else {most})
        assert not await StoredToolCall.objects.exclude(state__in=ENDED).aexists()


@pytest.fixture(scope="module")
def steps(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Steps]:
    database = {"DATABASE_URL": os.environ.get("DATABASE_URL", "sqlite:///unused.sqlite3")}
    variables = environment(tmp_path_factory.mktemp("steps"), 8000, **database)
    steps = Steps(variables, str(connection.settings_dict["NAME"]))
    yield steps
    steps.end()


@pytest.fixture
def remembering(
    alice: User,
    alice_client: AsyncClient,
    tmp_path: Path,
    steps: Steps,
    monkeypatch: pytest.MonkeyPatch,
) -> Remembering:
    member = Remembering(alice, alice_client, tmp_path, steps)
    monkeypatch.setitem(vars(remember), "remember", vars(remember)["remember"])  # to be put back
    count_effects(member.effects_file)
    return member


async def die(member: Remembering, course: str, step: str, death: Death) -> None:
    """Go the course up to the step in which a process dies, then on, and look what was done."""
    member.course = course
    for each in COURSES[course]:
        if each == step:
            break
        assert await member.run(each) == 0, member.steps.errors.read_text()
    assert await member.run(step, death=death) == -signal.SIGKILL, member.steps.errors.read_text()
    await member.go_on()
    await member.check()


@pytest.mark.parametrize(("course", "step", "death"), [PROPOSED, AFTER_IT_RAN], ids=str)
async def test_no_kill_loses_a_call_or_runs_it_twice(
    remembering: Remembering, course: str, step: str, death: Death
) -> None:
    await die(remembering, course, step, death)


@pytest.mark.long
@pytest.mark.parametrize("_kill", range(KILLS))
@pytest.mark.parametrize(("course", "step", "death"), DEATHS, ids=str)
async def test_none_of_many_kills_loses_a_call_or_runs_it_twice(
    remembering: Remembering, course: str, step: str, death: Death, _kill: int
) -> None:
    await die(remembering, course, step, death)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(KILLS))
async def test_no_kill_at_any_time_loses_a_call_or_runs_it_twice(
    remembering: Remembering, seed: int
) -> None:
    chance = random.Random(seed)
    *earlier, step = COURSES["done"][: seed % 3 + 1]
    for each in earlier:
        await remembering.run(each)
    await remembering.run(step, killed_after_seconds=chance.uniform(0, LONGEST_SECONDS))
    await remembering.go_on()
    await remembering.check()
