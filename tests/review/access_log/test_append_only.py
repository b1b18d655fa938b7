"""The database refuses every statement that would change, replace or remove a log entry."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, models, transaction

from chat.review import append_only_triggers
from chat.review.access_log.staff_actions import StaffAction
from chat.review.append_only import AppendOnly, AppendOnlyViolation
from chat.review.models import AccessLogEntry, AuditSeal
from chat.review.rating_models import RatingForm, StaffRating


def a_read() -> AccessLogEntry:
    return AccessLogEntry.objects.create(
        reader=1, owner=2, conversation=uuid4(), kind="read", reason="a"
    )


def an_action() -> StaffAction:
    return StaffAction.objects.create(actor=1, kind=StaffAction.Kind.WARNED, person=2, reason="a")


def a_seal() -> AuditSeal:
    return AuditSeal.objects.create(day=date(2026, 1, 2), rows=1, digest="a" * 64)


def a_rating() -> StaffRating:
    form = RatingForm.objects.create(name="Quality")
    return StaffRating.objects.create(
        form=form, rater=1, owner=2, conversation=uuid4(), answers={"1": 5}
    )


ROWS = {
    "chat_accesslogentry": a_read,
    "chat_staffaction": an_action,
    "chat_auditseal": a_seal,
    "chat_staffrating": a_rating,
}


def test_every_append_only_table_is_protected() -> None:
    assert (
        {each._meta.db_table for each in _models()} == set(append_only_triggers.TABLES) == set(ROWS)
    )


def _models() -> list[type[models.Model]]:
    from django.apps import apps

    return [each for each in apps.get_models() if issubclass(each, AppendOnly)]


@pytest.fixture(params=ROWS)
def row(request: pytest.FixtureRequest, transactional_db: None) -> Any:
    return ROWS[request.param]()


def stored(row: Any) -> dict[str, Any]:
    return dict(type(row).objects.values().get())


def columns_of(row: Any) -> str:
    return ", ".join(each.column for each in row._meta.fields if each.column != "id")


@pytest.mark.every_variant
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET id = id + 1",
        "DELETE FROM {table}",
        "INSERT INTO {table} (id, {columns}) SELECT id, {columns} FROM {table} WHERE true"
        " ON CONFLICT (id) DO UPDATE SET id = excluded.id + 7",
        "INSERT INTO {table} (id, {columns}) SELECT id, {columns} FROM {table} WHERE true"
        " ON CONFLICT (id) DO NOTHING",
        pytest.param(
            "INSERT OR REPLACE INTO {table} (id, {columns}) SELECT id, {columns} FROM {table}",
            marks=pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own"),
        ),
        pytest.param(
            "INSERT OR IGNORE INTO {table} (id, {columns}) SELECT id, {columns} FROM {table}",
            marks=pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own"),
        ),
        pytest.param(
            "UPDATE OR REPLACE {table} SET id = 1",
            marks=pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own"),
        ),
        pytest.param(
            "TRUNCATE {table}",
            marks=pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's own"),
        ),
    ],
)
def test_no_statement_changes_an_entry(row: Any, statement: str) -> None:
    before = stored(row)
    with pytest.raises(DatabaseError, match="stay as they are"), transaction.atomic():
        with connection.cursor() as cursor:
            table = row._meta.db_table
            cursor.execute(statement.format(table=table, columns=columns_of(row)))
    assert stored(row) == before


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own")
def test_a_seal_is_not_replaced_by_another_of_the_same_day(transactional_db: None) -> None:
    seal = a_seal()
    with pytest.raises(DatabaseError, match="stay as they are"), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT OR REPLACE INTO chat_auditseal (day, rows, digest, created_at)"
                " SELECT day, 0, 'b', created_at FROM chat_auditseal"
            )
    assert AuditSeal.objects.get().digest == seal.digest


def test_the_model_refuses_to_change_an_entry(row: Any) -> None:
    rows = type(row).objects
    for change in (
        row.save,
        row.delete,
        rows.all().delete,
        lambda: rows.update(id=7),
        lambda: rows.bulk_update([row], [row._meta.fields[1].name]),
    ):
        with pytest.raises(AppendOnlyViolation):
            change()


def test_new_entries_are_accepted(row: Any) -> None:
    if not isinstance(row, AuditSeal):
        ROWS[row._meta.db_table]()
        assert type(row).objects.count() == 2
