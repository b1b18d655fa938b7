"""A process is killed while it indexes a document: the old one or the new one is found, never none."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.utils import timezone

from chat.accounts.models import User
from chat.indexing import documents
from chat.knowledge.models import Document, DocumentContent, DocumentIndex
from chat.knowledge.search import search
from chat.outbox.models import Delivery
from tests.support.knowledge.collections import add_document, index_documents, new_collection
from tests.support.servers.server import ROOT, environment

#: Index what is due, and die before, in the middle of, or after a step.
INDEX = """
import asyncio, importlib, os, signal, sys
import django
from django.conf import settings

settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from chat.indexing.work import INDEX
from chat.outbox.deliver import deliver_some

module, name, when = sys.argv[2:]
module = importlib.import_module(module)
real = getattr(module, name)

def dying(*args, **named):
    if when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    real(*args, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(module, name, dying)
asyncio.run(deliver_some(INDEX))
"""
STORED = "chat.indexing.stored_index"
DEATHS = [
    (STORED, "file_of", "before"),
    (STORED, "store_text", "before"),
    (STORED, "note_change", "after"),  # in the first transaction, before it ends
    (STORED, "store_text", "after"),
    (STORED, "passage_texts", "after"),
    (STORED, "encoded_vectors", "after"),
    (STORED, "store_vectors", "after"),
    ("chat.outbox.claim", "finish", "before"),
]


@pytest.mark.usefixtures("stop_server_process", "no_network_jobs")
@pytest.mark.parametrize(("module", "name", "when"), DEATHS)
async def test_no_kill_loses_or_doubles_a_document(
    module: str, name: str, when: str, alice: User, tmp_path: Path
) -> None:
    collection = await new_collection(alice)
    await add_document(collection, alice, "hours.txt", "We open at nine.")
    await sync_to_async(documents.add)(collection, alice, "hours.txt", b"We open at eleven.")
    database = {"DATABASE_URL": os.environ.get("DATABASE_URL", "sqlite:///unused.sqlite3")}
    died = subprocess.run(
        [sys.executable, "-c", INDEX, str(connection.settings_dict["NAME"]), module, name, when],
        cwd=ROOT,
        env=environment(tmp_path, 8000, DJANGO_SETTINGS_MODULE="project.settings", **database),
        check=False,
        capture_output=True,
    )
    assert died.returncode == -9, died.stderr
    hits = await sync_to_async(search)([collection.pk], "When do you open?", None, "", 10)
    assert len(hits) == 1
    await Delivery.objects.aupdate(claimed_until=timezone.now() - timedelta(seconds=1))
    await index_documents()
    document = await Document.objects.aget()
    assert document.state == Document.State.READY
    assert (await DocumentContent.objects.aget()).text == "We open at eleven."
    assert (await DocumentIndex.objects.aget()).vectors
    assert not await Delivery.objects.aexists()
