"""`manage.py copy_database` copies every row of SQLite to PostgreSQL, or nothing."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.database.copied_site import (
    CopiedSite,
    address_with_ordinary_owner,
    migrated_address,
)
from tests.support.database.every_model import DELETED_NOTE
from tests.support.database.last_migration import LAST_MIGRATION
from tests.support.database.postgres import start_postgres

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("database copy")]

FILL = "from tests.support.database.every_model import fill; fill()"
DUMP = "from tests.support.database.every_model import dump; print(dump())"
DEEP = "[" * 900 + "]" * 900
#: Of processes that are gone.
EMPTIED = {"chat.Worker": 2}
EVERY_TABLE = """
from django.db import connection
from chat.database_copy.table_copy import NOT_COPIED, copied_models
tables = set(connection.introspection.table_names())
print(sorted(tables - {each._meta.db_table for each in copied_models()} - NOT_COPIED))
"""
NEW_ROWS = """
from chat.conversations.models import Conversation, Message
from chat.review.models import ConversationStats, StaffNote
chat = Conversation.objects.create(owner_id=1000, title="new")
Message.objects.create(conversation=chat, role="user", text="brandnew words")
StaffNote.objects.create(conversation=chat, text="one")
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM chat_search WHERE words @@ '1000_brandnew'::tsquery")
    print(cursor.fetchone()[0])
print(ConversationStats.objects.filter(conversation=chat).count())
print(StaffNote.objects.get(conversation=chat).pk)
print(Conversation.objects.get(pk=chat.pk).stored_bytes > 0)
"""
CHANGED = """
from django.db import DatabaseError, connection
with connection.cursor() as cursor:
    for statement in ("UPDATE chat_accesslogentry SET reason = ''", "DELETE FROM chat_auditseal",
                      "INSERT INTO chat_user_groups (user_id, group_id) VALUES (1, 1)"):
        try:
            cursor.execute(statement)
            print("done")
        except DatabaseError as error:
            print(type(error).__name__)
"""
SAY = """
from chat.conversations.models import Conversation
from chat.conversations.search import long_messages
from chat.conversations.search.position import LONG_MESSAGE
for owner in (1000, 1001):
    chat = Conversation.objects.create(owner_id=owner, title="Rivers")
    for text in ("The river bends", "Café Öl & Ärger", "東京都の川", "Rivers and rivers",
                 "words " * LONG_MESSAGE + "estuary", "الأنهار تجري", "river_bed 42"):
        chat.messages.create(role="user", text=text)
while long_messages.index_next():
    pass
"""
SEARCH = """
import json
from chat.conversations.search.messages import Cursor, Order, find_messages
from chat.conversations.search.query import parse
queries = ["river ", "riv", '"river bends"', "cafe", "öl ÄRGER ", "京都", "川", "estuary", "words",
           "الانهار", "42", "lake"]
print(json.dumps([
    [hit.message.pk for hit in find_messages(1000, parse(each), Order.NEWEST, Cursor()).hits]
    for each in queries
]))
"""
COUNT = """
from chat.accounts.models import User
from django.contrib.auth.models import Permission
print(User.objects.count(), Permission.objects.exists())
"""


@pytest.fixture(scope="module")
def server() -> str:
    return start_postgres()


@pytest.fixture(scope="module")
def copied(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CopiedSite]:
    folder = tmp_path_factory.mktemp("copied")
    site = CopiedSite(folder, address_with_ordinary_owner(server))
    site.old.run(FILL)
    site.old.run(SAY)
    said = site.copy()
    assert "all are the same" in said, said
    yield site
    site.end()


@pytest.fixture
def site(server: str, tmp_path: Path) -> Iterator[CopiedSite]:
    site = CopiedSite(tmp_path, migrated_address(server))
    yield site
    site.end()


def change(site: CopiedSite, statement: str, *values: Any) -> None:
    with closing(sqlite3.connect(site.file)) as database, database:
        database.execute(statement, values)


def is_empty(site: CopiedSite) -> bool:
    return site.new.run(COUNT).split() == ["0", "True"]


def test_rows_of_every_model_are_the_same_afterwards(copied: CopiedSite) -> None:
    old = json.loads(copied.old.run(DUMP))
    new = json.loads(copied.new.run(DUMP))
    assert len(old) > 50
    indexed = "chat.UnindexedMessage"  # the index has them: see below
    assert [label for label, rows in old.items() if not rows] == [indexed]
    for label, count in EMPTIED.items():
        assert (len(old.pop(label)), new.pop(label)) == (count, [])
    assert new == old


@pytest.mark.parametrize("database", ["old", "new"])
def test_no_table_is_forgotten(copied: CopiedSite, database: str) -> None:
    found = getattr(copied, database).run(EVERY_TABLE).strip()
    assert found in ("[]", str([f"chat_search_{each}" for each in FTS_PARTS]))


#: Tables of SQLite's own below chat_search.
FTS_PARTS = ("config", "content", "data", "docsize", "idx")


def test_a_search_finds_the_same(copied: CopiedSite) -> None:
    old, new = (json.loads(each.run(SEARCH)) for each in (copied.old, copied.new))
    assert [len(found) for found in old] == [2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]
    assert new == old


@pytest.mark.long
def test_messages_that_waited_for_the_index_are_found(site: CopiedSite) -> None:
    site.old.run(FILL)
    site.old.run(SAY.partition("while")[0])
    assert "all are the same" in site.copy()
    assert json.loads(site.new.run(SEARCH))[7:9] == [[1006], [1006]]
    waiting = (
        "from chat.conversations.models import UnindexedMessage as u; print(u.objects.count())"
    )
    assert (site.old.run(waiting).strip(), site.new.run(waiting).strip()) == ("4", "0")


def test_triggers_count_index_and_refuse_again(copied: CopiedSite) -> None:
    indexed, counted, note, has_size = copied.new.run(NEW_ROWS).split()
    assert (indexed, counted, has_size) == ("1", "1", "True")
    assert int(note) > DELETED_NOTE, "an id of a deleted row is given again"
    refused = copied.new.run(CHANGED).split()
    assert refused == ["ProgrammingError", "ProgrammingError", "IntegrityError"]


def test_the_audit_log_matches_its_seals(copied: CopiedSite) -> None:
    said = copied.new.run("from django.core.management import call_command as c; c('verify_audit')")
    assert "with 4 entries" in said


def test_a_database_with_data_is_not_overwritten(copied: CopiedSite) -> None:
    assert "isn't empty" in copied.copy()


@pytest.mark.long
def test_a_running_site_is_not_copied(site: CopiedSite) -> None:
    site.old.run("from chat.generations.process import workers; workers.register()")
    assert "still runs" in site.copy()
    assert is_empty(site)
    change(site, "UPDATE chat_worker SET heartbeat_at = '2026-01-01 00:00:00'")
    assert "all are the same" in site.copy()


@pytest.mark.long
def test_a_file_that_somebody_writes_to_is_not_copied(site: CopiedSite) -> None:
    with closing(sqlite3.connect(site.file, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert "can't be locked" in site.copy()


@pytest.mark.long
def test_a_file_that_is_not_there_is_not_created(site: CopiedSite) -> None:
    missing = site.folder / "missing.sqlite3"
    assert "no file" in site.copy(f"sqlite:///{missing}")
    assert not missing.exists()
    assert "must be the address of a SQLite file" in site.copy(site.address)


@pytest.mark.long
def test_the_schema_must_be_of_this_version(site: CopiedSite) -> None:
    change(site, "INSERT INTO django_migrations (app, name, applied) VALUES ('chat', '9999_x', '')")
    assert "newer version" in site.copy()
    change(site, f"DELETE FROM django_migrations WHERE name IN ('9999_x', '{LAST_MIGRATION}')")
    assert "isn't migrated" in site.copy()
    assert is_empty(site)


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("title", "x" * 121, "too long"),
        ("title", "private\0words", "NUL"),
        ("generation_settings", '{"a": "\\u0000"}', "unsupported Unicode"),
        pytest.param("generation_settings", DEEP, "can't be read (RecursionError)", id="deep"),
        ("owner_id", 77, "foreign key"),
    ],
)
@pytest.mark.long
def test_a_row_that_postgresql_refuses_is_named_and_nothing_is_copied(
    site: CopiedSite, column: str, value: Any, reason: str
) -> None:
    site.old.run(FILL)
    with closing(sqlite3.connect(site.file)) as database:  # without its foreign keys
        database.create_function("chat_search_words", 2, lambda owner, text: "")
        (key,) = database.execute("SELECT max(id) FROM chat_conversation").fetchone()
        statement = f"UPDATE chat_conversation SET {column} = ? WHERE id = ?"
        with database:
            database.execute(statement, (value, key))
    said = site.copy()
    assert reason in said
    assert "Nothing was copied" in said
    assert "private" not in said
    if column != "owner_id":
        assert "80000000-0000-0000-0000-000000000001 of chat_conversation" in said
    assert is_empty(site)


@pytest.mark.long
def test_numbers_that_postgresql_writes_otherwise_are_the_same(site: CopiedSite) -> None:
    site.old.run(FILL)
    change(site, "UPDATE chat_persona SET parameters = ?", '{"a": 1.5e308, "b": [-1e23]}')
    assert "all are the same" in site.copy()


@pytest.mark.long
def test_sqlite_cannot_be_the_target(site: CopiedSite) -> None:
    site.new, new = site.old, site.new
    try:
        assert "DATABASE_URL must name the PostgreSQL database" in site.copy()
    finally:
        site.new = new


@pytest.mark.long
def test_a_copy_that_differs_is_undone(site: CopiedSite) -> None:
    site.old.run(FILL)
    site.new.run(
        "from chat.database_copy import copy as c\n"
        "from chat.database_copy.row_digest import RowDigest\n"
        "c.digest_of_table = lambda model, alias: RowDigest(0, 1)"
    )
    assert "differs" in site.copy()
    assert is_empty(site)


@pytest.mark.long
def test_a_site_that_is_started_on_postgresql_meanwhile_keeps_its_accounts(
    site: CopiedSite,
) -> None:
    site.old.run(FILL)
    site.new.run(
        "from chat.accounts.models import User\n"
        "from chat.database_copy import target_database as t\n"
        "check = t.require_empty_target\n"
        "def start(copied):\n"
        "    check(copied)\n"
        "    User.objects.create_user('alice@example.org')\n"
        "t.require_empty_target = start"
    )
    assert "isn't empty: chat_user has rows" in site.copy()
    assert site.new.run(COUNT).split() == ["1", "True"]


@pytest.mark.long
def test_another_secret_key_is_noticed(site: CopiedSite) -> None:
    site.old.run(FILL)
    site.old.run(
        "from allauth.mfa.models import Authenticator\n"
        "from chat.accounts.second_factor.encryption import encrypt\n"
        "Authenticator.objects.filter(pk=1000).update(data={'secret': encrypt('x')})"
    )
    site.new.run("from django.conf import settings; settings.SECRET_KEY = 'another ' * 9")
    said = site.copy()
    assert "1 second factors can't be decrypted" in said
    assert "the audit log doesn't match its seals" in said
    assert not is_empty(site)
