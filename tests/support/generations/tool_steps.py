"""Do the steps of an answer that remembers something, each in a process that may be killed.

The processes are forks of one that has the site loaded: starting each anew takes ten times as long.
"""

import asyncio
import contextlib
import importlib
import os
import signal
import tempfile
import time
import uuid
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.support.servers import forked

MODEL = "@cf/openai/gpt-oss-20b"
TEXT = "Please remember that I am a vegetarian"


@dataclass(frozen=True)
class Death:
    """Where a process dies: before or after it has called this function."""

    module: str
    name: str
    when: str


@dataclass(frozen=True)
class Step:
    """One of `ask`, `allow` or `refuse` (a call), and `resume` (an answer of a conversation)."""

    kind: str
    subject: str
    user_id: int
    #: What the tool does is counted in this file.
    effects: Path
    is_failing: bool = False
    death: Death | None = None
    #: None: it is killed at the `death` only.
    killed_after_seconds: float | None = None


class Steps:
    """The process that forks one for each step."""

    def __init__(self, environment: dict[str, str], database: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="runnel-steps-")
        output = Path(self._folder.name) / "output"
        self._ours, theirs = forked.pipe()
        self._process = forked.started(
            _fork_for_each, theirs, database, environment=environment, output=output
        )
        theirs.close()
        self.errors = forked.errors_of(output)

    def run(self, step: Step) -> int:
        """Return the exit code of the step's process, negative for a signal."""
        self._ours.send(step)
        return int(self._ours.recv())

    def end(self) -> None:
        self._ours.close()
        self._process.join()
        self._folder.cleanup()


def _fork_for_each(steps: Connection, database: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
    import django
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    for each in ("start", "tool_decisions"):
        importlib.import_module(f"chat.generations.send.{each}")
    with contextlib.suppress(EOFError):
        while True:
            step = steps.recv()
            pid = os.fork()
            if not pid:
                _do(step)
            if step.killed_after_seconds is not None:
                time.sleep(step.killed_after_seconds)
                os.kill(pid, signal.SIGKILL)
            steps.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _do(step: Step) -> None:
    """Do a step in this process and end it."""
    code = 1
    try:
        count_effects(step.effects, is_failing=step.is_failing)
        if step.death:
            _die_at(step.death)
        asyncio.run(_take(step))
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


def count_effects(file: Path, *, is_failing: bool = False) -> None:
    """Have the tool of this process write a letter to the file each time that it does something."""
    from chat.accounts.memories import MemoryFull
    from chat.tools import remember

    really = vars(remember)["remember"]

    def counted(user_id: int, text: str) -> None:
        if not is_failing:
            really(user_id, text)
        with file.open("a") as effects:
            effects.write("x")
        if is_failing:
            raise MemoryFull

    vars(remember)["remember"] = counted


def _die_at(death: Death) -> None:
    module = importlib.import_module(death.module)
    real = getattr(module, death.name)

    def dying(*arguments: Any, **named: Any) -> None:
        if death.when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        real(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(module, death.name, dying)


async def _take(step: Step) -> None:
    from chat.accounts.principals import Principal
    from chat.database import threads
    from chat.generations.process import server_process
    from chat.generations.send.request import Send
    from chat.generations.send.sent import Sent
    from chat.generations.send.start import start_stored
    from chat.generations.send.tool_decisions import Decision, decide
    from chat.generations.task import registry
    from chat.upstream import available_models

    if step.kind in {"allow", "refuse"}:
        decision = Decision(step.kind == "allow")
        await threads.writer.run(decide, step.user_id, uuid.UUID(step.subject), decision)
        return
    principal = Principal(f"user:{step.user_id}", step.user_id)
    model = available_models.find(MODEL)
    key = uuid.uuid4().hex
    if step.kind == "ask":
        request = Send(key=key, text=TEXT, model=model.id, site_tools=("remember",))
        sent = await start_stored(principal, None, request, model)
    else:
        conversation, answer = step.subject.split()
        request = Send(key=key, resume=int(answer))
        sent = await start_stored(principal, uuid.UUID(conversation), request, model)
    assert isinstance(sent, Sent)
    answering = registry.find(sent.generation.id)
    if answering:
        await answering.done()
    await server_process.current().log_writer.flush()
