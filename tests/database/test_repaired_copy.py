"""`manage.py copy_database --repair` corrects what PostgreSQL does not accept."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.database.copied_site import CopiedSite, migrated_address
from tests.support.database.postgres import start_postgres
from tests.support.servers.server import ROOT, environment

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("database copy")]

FILL = "from tests.support.database.every_model import fill; fill()"
BREAK = """
from django.db import connection
from chat.conversations.models import Conversation
with connection.cursor() as cursor:
    cursor.execute("PRAGMA foreign_keys=OFF")
    for title in ("private\\0words", "x" * 121):
        chat = Conversation.objects.create(owner_id=1000, title="Broken")
        chat.messages.create(role="user", text="stays")
        Conversation.objects.filter(pk=chat.pk).update(title=title)
    chat.messages.all().delete()
    lost = chat.messages.create(role="user", text="lost")
    cursor.execute("UPDATE chat_message SET conversation_id = %s WHERE id = %s", ["0" * 32, lost.pk])
    cursor.execute("PRAGMA foreign_keys=ON")
"""
BROKEN = """
import json
from chat.conversations.models import Conversation, Message
titles = Conversation.objects.filter(title__regex="^(private|xxx)").order_by("title")
texts = Message.objects.filter(text__in=["stays", "lost"]).values_list("text", flat=True)
print(json.dumps([list(titles.values_list("title", flat=True)), list(texts)]))
"""
UNREADABLE = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("UPDATE chat_conversation SET list_state = 100000 WHERE title LIKE 'xxx%'")
"""


@pytest.fixture(scope="module")
def server() -> str:
    return start_postgres()


@pytest.fixture
def site(server: str, tmp_path: Path) -> Iterator[CopiedSite]:
    site = CopiedSite(tmp_path, migrated_address(server))
    yield site
    site.end()


def test_repair_corrects_the_copy_and_nothing_else(site: CopiedSite) -> None:
    site.old.run(FILL)
    site.old.run(BREAK)
    before = site.file.read_bytes()
    assert "--repair" in site.copy()
    said = site.copy(repair=True)
    assert "all are the same" in said, said
    assert re.search(r"Corrected texts in 2 rows of chat_conversation: \S+, \S+", said)
    assert "Corrected 1 rows of chat_message that referred to nothing." in said
    titles, texts = json.loads(site.new.run(BROKEN))
    assert titles == ["private\ufffdwords", "x" * 120]
    assert texts == ["stays"]
    assert site.file.read_bytes() == before


def test_the_printed_command_deletes_a_row_that_cannot_be_repaired(site: CopiedSite) -> None:
    site.old.run(FILL)
    site.old.run(BREAK)
    site.old.run(UNREADABLE)
    line = site.copy(repair=True).splitlines()[-1]
    assert line.startswith(f"DATABASE_URL=sqlite:///{site.file} .venv/bin/python manage.py shell")
    env = environment(site.folder, 8000)
    subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, check=True, capture_output=True)
    assert "all are the same" in site.copy(repair=True)
