"""A server process is killed in the middle of a run: one question is asked again, and none is lost."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import Server

QUESTIONS = 3
#: Start a run, as an administrator does.
START = f"""
from chat.accounts.models import User
from chat.evaluation import datasets, starting
from chat.evaluation.jsonl import NewItem
from chat.evaluation.models import EvaluationRun
from chat.review.access_log.staff_context import StaffContext
from chat.review.staff import roles
from chat.upstream import available_models
adam = User.objects.create_superuser("adam@example.org", "tide table")
by = StaffContext(roles.reviewer_of(adam), "A test of models")
dataset = datasets.create(by, "Geography")
datasets.add_items(by, dataset, [
    NewItem([{{"role": "user", "content": f"Where is number {{n}}?"}}]) for n in range({QUESTIONS})
])
model = next(iter(available_models.offered_models()))
starting.start(by, EvaluationRun(dataset=dataset, name="A run", model=model, max_tokens=400))
"""
#: What is stored of the run, of what was paid for, and of what is reserved.
LOOK = """
import json
from chat.evaluation.models import EvaluationRun, RunAnswer
from chat.quotas.models import Charge, Meter
charges = Charge.objects.all()
print(json.dumps({
    "state": EvaluationRun.objects.get().state,
    "answered": list(RunAnswer.objects.order_by("id").values_list("item", "text")),
    "problems": list(RunAnswer.objects.exclude(problem="").values_list("problem", flat=True)),
    "charges": charges.count(),
    "open": charges.filter(settled_at=None).count(),
    "running": sum(Meter.objects.filter(key="evaluation").values_list("running", flat=True)),
}))
"""
#: Nobody waits for minutes until the claim of the killed process ends.
END_CLAIMS = """
from datetime import timedelta
from django.utils import timezone
from chat.outbox.models import Delivery
past = timezone.now() - timedelta(seconds=1)
Delivery.objects.filter(claimed_until__isnull=False).update(claimed_until=past)
"""


def seen(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(server.run(LOOK))
    return found


def until(server: Server, **wanted: object) -> dict[str, Any]:
    """Wait until the database has this."""
    deadline = time.monotonic() + 4 * PATIENCE_SECONDS
    while not wanted.items() <= (found := seen(server)).items():
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


@pytest.mark.timeout(300)
def test_a_killed_process_repeats_one_question_and_loses_none(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.prepare()
    server.run(START)
    try:
        server.start(EMULATOR_TOKENS_PER_SECOND="30")
        deadline = time.monotonic() + 4 * PATIENCE_SECONDS
        while not (before := seen(server))["answered"] or not before["open"]:
            assert time.monotonic() < deadline, before
            time.sleep(0.02)
        server.send(signal.SIGKILL)
        server.wait(PATIENCE_SECONDS)
        killed = seen(server)
        assert (killed["state"], killed["open"]) == ("running", 1)
        assert 0 < len(killed["answered"]) < QUESTIONS
        server.run(END_CLAIMS)
        server.start()
        ended = until(server, state="done", open=0)
    finally:
        server.end()
    assert [item for item, _text in ended["answered"]] == sorted(
        {item for item, _text in ended["answered"]}
    )
    assert len(ended["answered"]) == QUESTIONS
    assert ended["answered"][: len(killed["answered"])] == killed["answered"]
    assert all(text for _item, text in ended["answered"])
    assert ended["problems"] == []
    assert ended["charges"] == QUESTIONS + 1  # the one that was cut is paid for, and no other
    assert ended["running"] == 0
