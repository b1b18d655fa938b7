"""A process is killed after it sent something, before it could record that."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from chat.outbox.deliver import DeliveryKind, deliver_some
from chat.outbox.models import Delivery
from tests.support.servers.server import ROOT, environment

LEASE = timedelta(minutes=1)
#: Send a letter, say so, and hang.
SEND = """
import asyncio, datetime, sys
import django
from django.conf import settings

settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from chat.outbox.deliver import DeliveryKind, deliver_some

async def send(delivery):
    print(delivery.pk, flush=True)
    await asyncio.Event().wait()

asyncio.run(deliver_some(DeliveryKind("letter", send, datetime.timedelta(minutes=1), 4)))
"""


@pytest.mark.usefixtures("stop_server_process")
async def test_what_it_sent_is_sent_again_with_the_same_id_once_its_claim_ends(
    tmp_path: Path,
) -> None:
    taken: list[UUID] = []

    async def send(delivery: Delivery) -> None:
        taken.append(delivery.pk)

    letters = DeliveryKind("letter", send, LEASE, 4)
    await Delivery.objects.acreate(kind="letter")
    # The child is told the name of the database on the same server, or of the same file.
    database = {"DATABASE_URL": os.environ.get("DATABASE_URL", "sqlite:///unused.sqlite3")}
    with subprocess.Popen(
        [sys.executable, "-c", SEND, str(connection.settings_dict["NAME"])],
        cwd=ROOT,
        env=environment(tmp_path, 8000, DJANGO_SETTINGS_MODULE="project.settings", **database),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        sent = UUID(process.stdout.readline().strip())
        process.send_signal(signal.SIGKILL)
    await deliver_some(letters)
    assert taken == []  # it could still be at work
    await Delivery.objects.aupdate(claimed_until=timezone.now() - timedelta(seconds=1))
    await deliver_some(letters)
    assert taken == [sent]
    assert not await Delivery.objects.aexists()
