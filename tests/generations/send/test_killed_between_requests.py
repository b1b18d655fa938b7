"""A process is killed between an answer's requests: what they have used is charged, once."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.generations.process import workers
from chat.quotas.models import Charge, Meter
from tests.support.servers.server import ROOT, environment

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

#: Ask a question whose answer calls a tool three times, and die at a function's second call. What
#: each request has used goes to a file.
STEP = """
import asyncio, os, signal, sys, uuid
import django
from django.conf import settings

settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from chat.accounts.principals import Principal
from chat.generations.billing import charging
from chat.generations.send.request import Send
from chat.generations.send.request_costs import RequestCosts
from chat.generations.send.start import start_stored
from chat.generations.task import registry
from chat.upstream import available_models

user, file, name, when = sys.argv[2:]
end, real, calls = RequestCosts.end, getattr(charging, name), []

def counted(costs, finished):
    with open(file, "a") as written:
        written.write(f"{finished.usage.total_tokens}\\n")
    end(costs, finished)

def dying(*given):
    calls.append(1)
    if len(calls) == 2 and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(*given)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

RequestCosts.end = counted
setattr(charging, name, dying)

async def main():
    model = available_models.find("@cf/openai/gpt-oss-20b")
    text = "/tool-loop 3"
    request = Send(key=uuid.uuid4().hex, text=text, model=model.id, site_tools=("web_search",))
    sent = await start_stored(Principal(f"user:{user}", int(user)), None, request, model)
    await registry.find(sent.generation.id).done()

asyncio.run(main())
"""
DEATHS = [
    ("note_used", "before"),
    ("note_used", "after"),  # not committed
    ("extend", "before"),
    ("extend", "after"),
]
#: Those that are tried each time.
SOON = [DEATHS[2]]


@pytest.mark.parametrize(
    ("name", "when"),
    [each if each in SOON else pytest.param(*each, marks=pytest.mark.long) for each in DEATHS],
)
async def test_a_kill_between_requests_charges_what_they_have_used_once(
    alice: User, tmp_path: Path, name: str, when: str
) -> None:
    file = tmp_path / "used"
    database = {"DATABASE_URL": os.environ.get("DATABASE_URL", "sqlite:///unused.sqlite3")}
    names = str(connection.settings_dict["NAME"]), str(alice.pk), str(file)
    process = subprocess.Popen(
        [sys.executable, "-c", STEP, *names, name, when],
        cwd=ROOT,
        env=environment(tmp_path, 8000, DJANGO_SETTINGS_MODULE="project.settings", **database),
        stderr=subprocess.PIPE,
    )
    _out, problem = await asyncio.to_thread(process.communicate)
    assert process.returncode == -9, problem.decode()
    used = list(map(int, file.read_text().split()))
    assert len(used) == 2
    before = await Charge.objects.aget()
    amounts = []
    for _time in range(2):
        await sync_to_async(workers.close_orphans)()
        charge = await Charge.objects.aget()
        amounts.append(charge.tokens)
    assert amounts[0] == amounts[1]
    assert sum(used) <= amounts[0] <= before.tokens
    if (name, when) == ("extend", "before"):
        assert amounts[0] == sum(used)
    assert charge.settled_at
    assert (await Generation.objects.aget()).state == "interrupted"
    async for meter in Meter.objects.all():
        assert (meter.tokens, meter.reserved.tokens, meter.running) == (amounts[0], 0, 0)
