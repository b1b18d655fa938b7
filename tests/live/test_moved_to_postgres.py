"""A site that moves from SQLite to PostgreSQL goes on where it was."""

import signal
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support.database.copied_site import CopiedSite, migrated_address
from tests.support.database.postgres import start_postgres
from tests.support.servers.online_member import OnlineMember
from tests.support.servers.server import Server, signed_up

pytestmark = pytest.mark.xdist_group("moved to postgres")

QUESTION = "Überlandleitung zwischen 東京 und Zürich"
#: A page with more than empty pieces.
STORED_TEXT = """
SELECT 1 FROM chat_logpage WHERE CAST(frames AS TEXT) GLOB '*"response":"[A-Za-z ]*'
"""
ANSWERS = """
from chat.generations.models import Generation
for each in Generation.objects.order_by("started_at"):
    print(each.state, len(each.message.text))
"""


@pytest.mark.long
def test_chats_searches_sign_ins_and_cut_answers_are_there_afterwards(tmp_path: Path) -> None:
    old = Server(tmp_path, EMULATOR_TOKENS_PER_SECOND="20", MAX_TOKENS="2000")
    old.prepare()
    site = CopiedSite(tmp_path, migrated_address(start_postgres()))
    new = Server(tmp_path, old.port, DATABASE_URL=site.address)
    closing_at_end = ExitStack()
    try:
        old.start()
        client = closing_at_end.enter_context(closing(signed_up(old)))
        member = OnlineMember(old, client)
        with member.sending("one", QUESTION) as response:
            with closing(sqlite3.connect(site.file)) as database:
                chunks = response.iter_bytes()
                while not database.execute(STORED_TEXT).fetchone():
                    next(chunks)
                old.send(signal.SIGKILL)
                old.wait(10)
                assert "still runs" in site.copy()
                with database:  # instead of waiting for ten seconds
                    database.execute("UPDATE chat_worker SET heartbeat_at = '2026-01-01 00:00:00'")
        before = old.run(ANSWERS).split()
        assert before[0] == "running"
        said = site.copy()
        assert "Unfinished answers closed as interrupted: 1." in said
        new.start()
        assert member.get("/accounts/email/").url.path == "/accounts/email/", "not signed in"
        found = member.get("/chat/search/?q=zürich+東京", Accept="text/html").text
        assert "<mark" in found
        assert member.send("two", "Hello again").status_code == 200
        state, length, *second = new.run(ANSWERS).split()
        assert (state, second[0]) == ("interrupted", "complete")
        assert int(length) > 0
    finally:
        closing_at_end.close()
        old.end()
        new.end()
        site.end()
