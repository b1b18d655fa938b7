"""The previous version runs with the schema of this one: docs/upgrade.md says how to write that."""

from importlib import import_module
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from tests.support.database.rolling_migrations import MIN_REASON_CHARACTERS, REASON, problem_with

#: The migrations of the first version; no earlier one ran with them.
FIRST_VERSION = ("0001", "0002", "0003")
TEXT = models.CharField(max_length=40)


def before() -> ProjectState:
    """Return a state with one model."""
    state = ProjectState()
    fields: list[tuple[str, Any]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("text", models.CharField(max_length=40)),
        ("note", models.CharField(max_length=40, null=True)),
        ("kind", models.CharField(max_length=40, db_default="")),
        ("size", models.IntegerField(default=0)),
    ]
    state.add_model(ModelState("chat", "Letter", fields))
    return state


def added(field: Any) -> migrations.AddField:
    return migrations.AddField("letter", "new", field)


def altered(name: str, field: Any) -> migrations.AlterField:
    return migrations.AlterField("letter", name, field)


UNIQUE = models.UniqueConstraint(fields=["text"], name="one_text")
BREAKING = [
    migrations.RemoveField("letter", "text"),
    migrations.RenameField("letter", "text", "words"),
    migrations.RenameModel("Letter", "Mail"),
    migrations.DeleteModel("Letter"),
    migrations.AlterModelTable("letter", "letters"),
    migrations.AddConstraint("letter", UNIQUE),
    migrations.RunPython(migrations.RunPython.noop),
    migrations.RunSQL("SELECT 1"),
    migrations.SeparateDatabaseAndState(),
    added(TEXT),
    added(models.CharField(max_length=40, default="")),
    altered("note", TEXT),
    altered("kind", TEXT),
    altered("text", models.CharField(max_length=20)),
    altered("text", models.CharField(max_length=40, unique=True)),
    altered("text", models.CharField(max_length=40, db_column="words")),
    altered("text", models.IntegerField()),
    altered("size", models.BigIntegerField()),
]
HARMLESS = [
    migrations.CreateModel("Stamp", [("id", models.BigAutoField(primary_key=True))]),
    migrations.AddIndex("letter", models.Index(fields=["text"], name="letter_text")),
    migrations.RemoveIndex("letter", "letter_text"),
    migrations.RemoveConstraint("letter", "one_text"),
    migrations.AlterModelOptions("letter", {"ordering": ["text"]}),
    added(models.CharField(max_length=40, null=True)),
    added(models.CharField(max_length=40, db_default="")),
    added(models.ManyToManyField("chat.Letter")),
    altered("text", models.CharField(max_length=80)),
    altered("text", models.CharField(max_length=40, null=True)),
    altered("note", models.CharField(max_length=40, db_default="")),
    altered("text", models.CharField(max_length=40, choices=[("a", "A")])),
]


@pytest.mark.parametrize("operation", BREAKING, ids=lambda each: each.describe())
def test_operations_that_break_the_previous_version_are_found(operation: Any) -> None:
    assert problem_with(operation, before())


@pytest.mark.parametrize("operation", HARMLESS, ids=lambda each: each.describe())
def test_operations_that_only_add_are_allowed(operation: Any) -> None:
    assert problem_with(operation, before()) == ""


def test_no_migration_breaks_the_previous_version_without_a_reason() -> None:
    loader = MigrationLoader(None)
    names = sorted(name for app, name in loader.disk_migrations if app == "chat")
    later = [name for name in names if not name.startswith(FIRST_VERSION)]
    assert later
    found = []
    for name in later:
        reason = getattr(import_module(f"chat.migrations.{name}"), REASON, "")
        state = loader.project_state(("chat", name), at_end=False)
        for operation in loader.disk_migrations["chat", name].operations:
            problem = problem_with(operation, state)
            if problem and len(reason) < MIN_REASON_CHARACTERS:
                found.append(f"{name}: {operation.describe()}: {problem}")
            operation.state_forwards("chat", state)
    assert found == []
