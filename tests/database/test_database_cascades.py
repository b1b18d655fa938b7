"""The database deletes what refers to a deleted row, also for a version that doesn't know its table."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation
from chat.database import cascades
from chat.database.cascades import ForeignKey, with_clause
from chat.projects.models import Project

pytestmark = pytest.mark.django_db(transaction=True)
KEY = ForeignKey("letter", "sender_id", "person", "id", "CASCADE")


@pytest.fixture(autouse=True)
def migrated(transactional_db: None) -> None:
    """Migrate, because other tests of the process may have made tables anew."""
    call_command("migrate", verbosity=0)


def sql(statement: str, *params: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)


def foreign_key_clauses() -> dict[tuple[str, str], str]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return cascades._sqlite_clauses(cursor, "default")
        keys = cascades._postgres_keys(cursor)
    return {key: clause for key, (_name, clause, valid) in keys.items() if valid}


def test_each_foreign_key_to_another_table_has_its_clause_in_the_database(db: None) -> None:
    found = foreign_key_clauses()
    expected = {(key.table, key.column): key.clause for key in cascades.expected_keys()}
    assert ("chat_messageimage", "message_id") in expected
    assert ("chat_user_groups", "user_id") in expected
    assert ("account_emailaddress", "user_id") in expected  # tables of other packages too
    assert expected.items() <= found.items()
    assert cascades.missing_keys() == []


def test_a_version_that_does_not_know_images_can_delete_their_messages(alice: User) -> None:
    chat = Conversation.objects.create(owner=alice, title="Chat")
    message = chat.messages.create(role="user", text="See")
    image = StoredImage.objects.create(
        owner=alice, digest="x", kind="png", width=1, height=1, size_bytes=1, content=b"x"
    )
    MessageImage.objects.create(message=message, image=image)
    sql("DELETE FROM chat_message WHERE id = %s", message.pk)
    assert not MessageImage.objects.exists()
    assert StoredImage.objects.exists()
    chat.delete()
    with transaction.atomic():  # what the previous version deletes with an account, roughly
        sql("DELETE FROM account_emailaddress WHERE user_id = %s", alice.pk)
        sql("DELETE FROM chat_user WHERE id = %s", alice.pk)
    assert not StoredImage.objects.exists()


def test_a_reference_that_may_be_empty_is_emptied(alice: User) -> None:
    project = Project.objects.create(owner=alice, name="Garden")
    chat = Conversation.objects.create(owner=alice, title="Chat", project=project)
    sql("DELETE FROM chat_project")  # SQLite and PostgreSQL write an id differently
    chat.refresh_from_db()
    assert chat.project_id is None


def test_a_database_of_an_earlier_version_is_mended_and_keeps_everything_else(db: None) -> None:
    table, column = "chat_messageimage", "message_id"
    before = schema()
    take_clause_away(table, column)
    try:
        assert [(key.table, key.column) for key in cascades.missing_keys()] == [(table, column)]
    finally:
        cascades.after_migrations(using="default", plan=[])
    assert cascades.missing_keys() == []
    assert schema() == before
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_only_the_named_column_of_a_table_is_changed() -> None:
    text = (
        'CREATE TABLE "letter" ("id" integer NOT NULL PRIMARY KEY, "sender_id" bigint NOT NULL'
        ' REFERENCES "person" ("id") DEFERRABLE INITIALLY DEFERRED, "reader_id" bigint NULL'
        ' REFERENCES "person" ("id") DEFERRABLE INITIALLY DEFERRED)'
    )
    changed = with_clause(text, KEY)
    assert changed.count("ON DELETE CASCADE") == 1
    assert '"sender_id" bigint NOT NULL REFERENCES "person" ("id") ON DELETE CASCADE' in changed


def take_clause_away(table: str, column: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            name = cascades._postgres_keys(cursor)[table, column][0]
            cursor.execute(
                f"ALTER TABLE {table} DROP CONSTRAINT {name}, ADD CONSTRAINT {name} FOREIGN KEY"
                f" ({column}) REFERENCES chat_message (id) DEFERRABLE INITIALLY DEFERRED"
            )
        return
    with transaction.atomic(), connection.cursor() as cursor:
        version = cursor.execute("PRAGMA schema_version").fetchone()[0]
        cursor.execute("PRAGMA writable_schema=ON")
        cursor.execute(
            'UPDATE sqlite_master SET sql=replace(sql, \'"chat_message" ("id") ON DELETE CASCADE\','
            ' \'"chat_message" ("id")\') WHERE name=%s',
            [table],
        )
        cursor.execute(f"PRAGMA schema_version={version + 1}")
        cursor.execute("PRAGMA writable_schema=OFF")


def schema() -> list[Any]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT type, name, sql FROM sqlite_master")
        else:
            cursor.execute("SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint")
        return sorted(cursor.fetchall(), key=str)
