"""A process is killed while an answer uses a tool: no call is lost, and none runs twice."""

import asyncio
import os
import random
import signal
import subprocess
import sys
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
from tests.support.servers.server import ROOT, environment

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
FACT = "I am a vegetarian"
#: Do one step of an answer that remembers something, and die before or after a function. What the
#: tool does is counted in a file.
STEP = """
import asyncio, importlib, os, signal, sys, uuid
import django
from django.conf import settings

settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from chat.accounts.principals import Principal
from chat.generations.process import server_process
from chat.generations.send.request import Send
from chat.generations.send.start import start_stored
from chat.generations.send.tool_decisions import Decision, decide
from chat.database import threads
from chat.generations.task import registry
from chat.tools import remember
from chat.upstream import available_models

user, effects, step, subject, module, name, when = sys.argv[2:]
principal = Principal(f"user:{user}", int(user))
really = remember.remember

def counted(user_id, text):
    with open(effects, "a") as file:
        file.write("x")
    really(user_id, text)

remember.remember = counted
if module:
    module = importlib.import_module(module)
    real = getattr(module, name)

    def dying(*args, **named):
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        real(*args, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(module, name, dying)

async def main():
    model = available_models.find(sys.argv[0] and "@cf/openai/gpt-oss-20b")
    if step == "decide":
        await threads.writer.run(decide, principal.user_id, uuid.UUID(subject), Decision(True))
        return
    key = uuid.uuid4().hex
    if step == "ask":
        text = "Please remember that I am a vegetarian"
        request = Send(key=key, text=text, model=model.id, site_tools=("remember",))
        sent = await start_stored(principal, None, request, model)
    else:
        conversation, answer = subject.split()
        request = Send(key=key, resume=int(answer))
        sent = await start_stored(principal, uuid.UUID(conversation), request, model)
    await registry.find(sent.generation.id).done()
    await server_process.current().log_writer.flush()

asyncio.run(main())
"""
CALLS = "chat.conversations.tool_calls.calls"
#: The step, and where in it: in each of the six states, before and after it is stored.
DEATHS = [
    ("ask", CALLS, "add", "before"),
    ("ask", CALLS, "add", "after"),  # proposed
    ("decide", CALLS, "decide", "before"),
    ("decide", "chat.generations.send.tool_decisions", "_allow", "after"),  # not committed
    ("resume", "chat.generations.send.answer_events", "start_again", "before"),  # approved
    ("resume", "chat.generations.send.answer_events", "start_again", "after"),  # running
    ("resume", "chat.tools.remember", "remember", "before"),
    ("resume", "chat.tools.remember", "remember", "after"),
    ("resume", CALLS, "finish", "before"),
    ("resume", CALLS, "finish", "after"),  # not committed
    ("resume", "chat.generations.billing.charging", "extend", "before"),  # done
]
#: Those that are tried each time.
SOON = [DEATHS[1], DEATHS[7]]
#: How often each is tried; threads of the process get on differently each time.
KILLS = int(os.environ.get("KILLS", "1"))


class Remembering:
    """A member who has a model remember something, with a process that may be killed."""

    def __init__(self, user: User, client: AsyncClient, folder: Path) -> None:
        self.user, self.client, self.folder = user, client, folder
        self.effects_file = folder / "effects"

    @property
    def effects(self) -> int:
        return len(self.effects_file.read_text()) if self.effects_file.exists() else 0

    def start(self, step: str, subject: str, death: tuple[str, str, str]) -> Any:
        names = str(connection.settings_dict["NAME"]), str(self.user.pk), str(self.effects_file)
        database = {"DATABASE_URL": os.environ.get("DATABASE_URL", "sqlite:///unused.sqlite3")}
        return subprocess.Popen(
            [sys.executable, "-c", STEP, *names, step, subject, *death],
            cwd=ROOT,
            env=environment(
                self.folder, 8000, DJANGO_SETTINGS_MODULE="project.settings", **database
            ),
            stderr=subprocess.PIPE,
        )

    async def subject(self, step: str) -> str:
        """Return what a step is about; empty for a first question."""
        call = await StoredToolCall.objects.alast()
        if step == "decide":
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
                    body = {"is_allowed": not self.effects}
                    path = f"/chat/tool-calls/{call.pk}/decision"
                    await self.client.post(path, body, content_type="application/json")
            response = await send(self.client, conversation, resume=int(answer))
            assert response.status_code == 200, response.content
            await read_stream(response)
            last = await Generation.objects.filter(message=answer).alatest("started_at")
            if last.state == "complete" and last.finish_reason != "tool_calls":
                return None
        raise AssertionError("it never ends")

    async def _ask(self) -> None:
        text = f"Please remember that {FACT}"
        await read_stream(await send(self.client, text=text, site_tools=["remember"], model=MODEL))
        await self.go_on()

    async def check(self) -> None:
        """Nothing was lost: it was done, once, here or in the process that was killed."""
        await self.user.arefresh_from_db()
        assert Preferences.of(self.user).memories == FACT
        assert self.effects == 1
        assert not await StoredToolCall.objects.exclude(state__in=ENDED).aexists()


STEPS = ["ask", "decide", "resume"]
NO_DEATH = ("", "", "")


@pytest.fixture
def remembering(
    alice: User, alice_client: AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Remembering:
    member = Remembering(alice, alice_client, tmp_path)
    really = remember.remember

    def counted(user_id: int, text: str) -> None:
        with member.effects_file.open("a") as file:
            file.write("x")
        really(user_id, text)

    monkeypatch.setattr(remember, "remember", counted)
    return member


@pytest.mark.parametrize("_kill", range(KILLS))
@pytest.mark.parametrize(
    ("step", "module", "name", "when"),
    [each if each in SOON else pytest.param(*each, marks=pytest.mark.long) for each in DEATHS],
)
async def test_no_kill_loses_a_call_or_runs_it_twice(
    remembering: Remembering, step: str, module: str, name: str, when: str, _kill: int
) -> None:
    for each in STEPS[: STEPS.index(step) + 1]:
        death = (module, name, when) if each == step else NO_DEATH
        process = remembering.start(each, await remembering.subject(each), death)
        _out, problem = await asyncio.to_thread(process.communicate)
        assert process.returncode == (-9 if each == step else 0), problem.decode()
    await remembering.go_on()
    await remembering.check()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
async def test_no_kill_at_any_time_loses_a_call_or_runs_it_twice(
    remembering: Remembering, seed: int
) -> None:
    chance = random.Random(seed)
    step = STEPS[seed % len(STEPS)]
    for each in STEPS[: STEPS.index(step) + 1]:
        process = remembering.start(each, await remembering.subject(each), NO_DEATH)
        if each == step:
            await asyncio.sleep(chance.uniform(0.5, 2.5))
            process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.communicate)
    await remembering.go_on()
    await remembering.check()
