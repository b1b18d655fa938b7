"""A backup of a running site, restored after all is lost, is the same site."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.support.database.postgres import address_of, migrated_database, start_postgres
from tests.support.servers.online_member import OnlineMember, Reading
from tests.support.servers.server import ROOT, Server, running, signed_up

PASSPHRASE = {"BACKUP_PASSPHRASE": "a long walk by the sea"}
CHATS = """
import json
from chat.conversations.models import Message
from chat.generations.models import Generation
texts = list(Message.objects.order_by("pk").values_list("role", "text"))
print(json.dumps([texts, sorted(Generation.objects.values_list("send_key", "state"))]))
"""
AUDIT = """
from datetime import timedelta
from uuid import uuid4
from django.utils import timezone
from chat.review.models import AccessLogEntry
from chat.review.access_log.audit_chain import seal_days
at = timezone.now() - timedelta(days=3)
AccessLogEntry.objects.create(
    at=at, reader=1, owner=2, conversation=uuid4(), kind="read", reason="A report")
print(len(seal_days()))
"""


pytestmark = [
    pytest.mark.long,
    pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True),
]


@pytest.fixture
def database(request: pytest.FixtureRequest) -> dict[str, str]:
    if request.param == "sqlite":
        return {}
    address = start_postgres()
    return {"DATABASE_URL": address_of(address, migrated_database(address))}


@pytest.fixture
def site(database: dict[str, str]) -> Iterator[Server]:
    slow = {"EMULATOR_TOKENS_PER_SECOND": "60"}
    with running(**(database | slow | PASSPHRASE)) as server:
        yield server


def chats(server: Server) -> tuple[list[list[str]], dict[str, str]]:
    """Return roles and texts of all messages, and the state of each answer by its key."""
    texts, states = json.loads(server.run(CHATS))
    return texts, {key.rstrip("0"): state for key, state in states}


def fails(server: Server, *arguments: str) -> str:
    """Run a command that has to fail; return what it says."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def wipe(server: Server) -> None:
    """Lose the database and all files but the static ones."""
    url = server.environment.get("DATABASE_URL")
    if url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
    for path in server.data_dir.iterdir():
        if path.name != "static":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_after_a_loss_all_chats_are_back(site: Server, tmp_path: Path) -> None:
    backup = tmp_path / "site.backup"
    with closing(signed_up(site)) as client:
        member = OnlineMember(site, client)
        assert site.run(AUDIT) >= "1"
        member.send("first", "Hello")
        with Reading(member, "second", "/slow") as reading:
            said = site.manage("backup", str(backup), "--encrypt")
            assert "rows" in said
            assert (site.data_dir / "last_backup").exists()  # the status page tells when that was
            assert "is running" in fails(site, "restore", str(backup), "--replace")
            member.stop(reading.generation_id)
        before, _ = chats(site)
        site.end(signal.SIGTERM)
        assert (backup.stat().st_mode & 0o777, os.listdir(tmp_path)) == (0o600, [backup.name])
        wipe(site)
        said = site.manage("restore", str(backup))
        assert "can be continued: 1." in said
        assert "SECRET_KEY" not in said
        after, states = chats(site)
        assert after[:3] == before[:3]
        assert len(after) == len(before) == 4
        assert after[3][1]  # what was said until the backup, and nothing else
        assert before[3][1].startswith(after[3][1])
        assert states == {"first": "complete", "second": "interrupted"}
        assert "matches its seals" in site.manage("verify_audit")
        assert list(site.data_dir.glob("replaced-*")) == list(site.data_dir.glob("unfi*")) == []
        site.start()
        assert client.get("/chat/").status_code == 200  # signed in, by the same key
        assert member.send("third", "Hello").status_code == 200
        assert len(client.get("/chat/search/?q=hello").text) > 100
    assert chats(site)[1]["third"] == "complete"


def test_present_data_is_only_replaced_if_asked_for_and_its_files_are_kept(
    site: Server, tmp_path: Path
) -> None:
    backup = tmp_path / "site.backup"
    with closing(signed_up(site)):
        pass
    site.manage("backup", str(backup))
    assert "exists already" in fails(site, "backup", str(backup))
    with closing(signed_up(site, "bob@example.org")):
        pass
    site.end(signal.SIGTERM)
    assert "--replace" in fails(site, "restore", str(backup))
    people = "from chat.accounts.models import User\nprint(User.objects.count())"
    assert site.run(people) == "2"
    said = site.manage("restore", str(backup), "--replace")
    assert "What was there before" in said
    assert site.run(people) == "1"
    (aside,) = site.data_dir.glob("replaced-*")
    assert (aside / "secret_key").read_text() == (site.data_dir / "secret_key").read_text()


def test_a_backup_of_an_older_version_gets_newer_migrations(
    database: dict[str, str], tmp_path: Path
) -> None:
    data_dir, backup = tmp_path / "data", tmp_path / "old.backup"
    data_dir.mkdir(mode=0o700)
    server = Server(data_dir, **database)
    server.prepare()
    server.manage("migrate", "chat", "0002", "--verbosity", "0")
    make = "from chat.accounts.models import User\nUser.objects.create_user('alice@example.org')"
    server.run(make)
    server.manage("backup", str(backup))
    server.end()
    wipe(server)
    server.manage("restore", str(backup))
    shown = server.manage("showmigrations", "chat", "--plan")
    assert "[ ]" not in shown
    assert server.run("from chat.accounts.models import User\nprint(User.objects.get())")
    server.end()


def test_a_backup_of_a_newer_version_and_of_the_other_database_are_refused(
    site: Server, tmp_path: Path
) -> None:
    newer, plain = tmp_path / "newer", tmp_path / "plain"
    site.manage("backup", str(plain))
    record = "from django.db.migrations.recorder import MigrationRecorder\n"
    record += "from django.db import connection\nMigrationRecorder(connection)"
    site.run(f"{record}.record_applied('chat', '9999_later')")
    site.manage("backup", str(newer))
    site.end(signal.SIGTERM)
    assert "newer version" in fails(site, "restore", str(newer))
    with running() as other:
        other.end(signal.SIGTERM)
        if "DATABASE_URL" in site.environment:
            assert "a backup of PostgreSQL" in fails(other, "restore", str(plain))
