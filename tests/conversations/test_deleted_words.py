"""The words of deleted messages leave the index and the file of the database."""

import sqlite3
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.search import deleted_words

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "connection.vendor != 'sqlite'", reason="PostgreSQL removes deleted rows itself"
    ),
]


@pytest.fixture(autouse=True)
def nothing_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget merges and the index of earlier tests: its parts decide when FTS5 merges by itself."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO chat_search (chat_search) VALUES ('rebuild')")
    for name, value in {"_wanted": False, "_running": False, "_next_at": 0.0}.items():
        monkeypatch.setattr(deleted_words, name, value)


def blocks_with(word: bytes) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM chat_search_data WHERE instr(block, %s)", [word])
        count: int = cursor.fetchone()[0]
        return count


def fill(alice: User) -> Conversation:
    """Create two chats, message by message, which leaves an index of several parts."""
    secret = Conversation.objects.create(owner=alice, title="Secret")
    other = Conversation.objects.create(owner=alice, title="Other")
    for number in range(60):
        secret.messages.create(role="user", text=f"platypus number{number}")
        other.messages.create(role="user", text=f"wombat number{number}")
    return secret


def test_words_of_deleted_messages_are_gone_from_the_index(alice: User) -> None:
    secret = fill(alice)
    secret.messages.all().delete()
    assert blocks_with(b"platypus")
    deleted_words.merge_soon()
    while deleted_words.merge_next():
        pass
    assert not blocks_with(b"platypus")
    assert blocks_with(b"wombat")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM chat_search WHERE words MATCH '0_wombat'")
        assert cursor.fetchone() == (60,)


def test_merges_are_an_hour_apart(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100_000.0
    monkeypatch.setattr(deleted_words, "_clock", lambda: now)
    assert not deleted_words.merge_next()
    merged: list[int] = []
    monkeypatch.setattr(deleted_words, "_merge", lambda pages: bool(merged.append(pages)))
    for later in (0, 60, 60, 3600):
        now += later
        deleted_words.merge_soon()
        deleted_words.merge_next()
    assert merged == [-deleted_words.PAGES_AT_ONCE] * 2


def test_a_merge_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(pages: int) -> bool:
        raise OperationalError("database is locked")

    deleted_words.merge_soon()
    with monkeypatch.context() as patch:
        patch.setattr(deleted_words, "_merge", locked)
        with pytest.raises(OperationalError):
            deleted_words.merge_next()
    merged: list[int] = []
    monkeypatch.setattr(deleted_words, "_merge", lambda pages: bool(merged.append(pages)))
    deleted_words.merge_next()
    assert merged == [-deleted_words.PAGES_AT_ONCE]


def test_a_large_index_is_merged_in_steps(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deleted_words, "PAGES_AT_ONCE", 1)
    fill(alice).messages.all().delete()
    deleted_words.merge_soon()
    steps = 1
    while deleted_words.merge_next():
        steps += 1
    assert steps > 1
    assert not blocks_with(b"platypus")


def test_deleted_text_is_overwritten_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite3"
    database = sqlite3.connect(file)
    for command in connection.settings_dict["OPTIONS"]["init_command"].split(";"):
        database.execute(command)
    database.execute("CREATE TABLE message (text TEXT)")
    for number in range(200):
        database.execute("INSERT INTO message VALUES (?)", [f"platypus {number} " * 500])
    database.execute("DELETE FROM message")
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    assert b"platypus" not in file.read_bytes()
