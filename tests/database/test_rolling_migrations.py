"""The previous version runs with the schema of this one: docs/upgrade.md says how to write that.

The previous version is the newest release in tests/fixtures/releases.
"""

from importlib import import_module
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from tests.support.database.releases import migrations_of, newest
from tests.support.database.rolling_migrations import MIN_REASON_CHARACTERS, REASON, problem_with

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


def reference(on_delete: Any) -> Any:
    return models.ForeignKey("chat.Letter", on_delete, null=True)


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
    migrations.CreateModel("Stamp", [("letter", reference(models.PROTECT))]),
    migrations.CreateModel("Stamp", [("letter", reference(models.DO_NOTHING))]),
    added(reference(models.RESTRICT)),
]
HARMLESS = [
    migrations.CreateModel("Stamp", [("id", models.BigAutoField(primary_key=True))]),
    migrations.CreateModel("Stamp", [("letter", reference(models.CASCADE))]),
    added(reference(models.SET_NULL)),
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
    later = set(loader.disk_migrations) - set(migrations_of(newest()))
    found = []
    for name in sorted(name for app, name in later if app == "chat"):
        reason = getattr(import_module(f"chat.migrations.{name}"), REASON, "")
        state = loader.project_state(("chat", name), at_end=False)
        for operation in loader.disk_migrations["chat", name].operations:
            problem = problem_with(operation, state)
            if problem and len(reason) < MIN_REASON_CHARACTERS:
                found.append(f"{name}: {operation.describe()}: {problem}")
            operation.state_forwards("chat", state)
    assert found == []
