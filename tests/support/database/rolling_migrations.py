"""Tell whether the previous version can go on running after an operation of a migration."""

from django.db import connection
from django.db.migrations import operations as ops
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CASCADE, SET_NULL, Field, ForeignKey, ManyToManyField

#: It does not know the new name, or still uses what is gone.
REMOVALS = (
    ops.RemoveField,
    ops.DeleteModel,
    ops.RenameField,
    ops.RenameModel,
    ops.AlterModelTable,
)
#: It may write what is no longer allowed.
CONSTRAINTS = (ops.AddConstraint, ops.AlterUniqueTogether)
#: Nobody can tell without reading.
CODE = (ops.RunPython, ops.RunSQL, ops.SeparateDatabaseAndState)
#: What the database does by itself (chat/database/cascades.py).
DELETIONS = (CASCADE, SET_NULL)
REASON = "PREVIOUS_VERSION_RUNS"
MIN_REASON_CHARACTERS = 20


def problem_with(operation: Operation, before: ProjectState, app: str = "chat") -> str:
    """Return why the previous version might fail; empty if it cannot. `before` is the state."""
    if isinstance(operation, REMOVALS):
        return "the previous version still uses it"
    if isinstance(operation, CONSTRAINTS):
        return "the previous version may write what it forbids"
    if isinstance(operation, CODE):
        return "only a reader can tell what it does"
    if isinstance(operation, ops.CreateModel):
        return next(filter(None, (_deletion_problem(field) for _, field in operation.fields)), "")
    changes_field = isinstance(operation, ops.AddField | ops.AlterField)
    if changes_field and (problem := _deletion_problem(operation.field)):
        return problem
    if isinstance(operation, ops.AddField) and not _may_be_left_out(operation.field):
        return "the previous version inserts rows without it: use db_default or null=True"
    if isinstance(operation, ops.AlterField):
        old = before.models[app, operation.model_name_lower].get_field(operation.name)
        return _problem_with_change(operation.name, old, operation.field)
    return ""


def _deletion_problem(field: Field) -> str:
    if not isinstance(field, ForeignKey) or not field.db_constraint:
        return ""
    if field.remote_field.on_delete in DELETIONS:
        return ""
    return "the previous version can't delete the row it refers to: use CASCADE or SET_NULL"


def _may_be_left_out(field: Field) -> bool:
    return isinstance(field, ManyToManyField) or field.null or field.has_db_default()


def _problem_with_change(name: str, old: Field, new: Field) -> str:
    if old.null and not new.null and not new.has_db_default():
        return "the previous version may write NULL"
    if old.has_db_default() and not _may_be_left_out(new):
        return "the previous version may insert rows without it"
    if new.unique and not old.unique:
        return "the previous version may write what it forbids"
    if (old.db_column or name) != (new.db_column or name):
        return "the previous version uses the old name"
    if _kind(old) != _kind(new):
        return "the previous version expects the old type"
    if (old.max_length or 0) > (new.max_length or 0) > 0:
        return "the previous version may write longer text"
    return ""


def _kind(field: Field) -> str:
    """Return the type of the column, without its length."""
    return str(field.get_internal_type() or field.db_type(connection)).partition("(")[0]
