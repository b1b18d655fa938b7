"""Check that the database answers, takes writes and has the tables of this version."""

from collections.abc import Iterator

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models.functions import Now

from chat.database.migration_state import migration_state
from chat.database.problem import first_line
from chat.database.unusable_database import find_problem
from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.generations.models import Worker

NAME = "Database"
MIGRATIONS = "Migrations"


def check_database(_options: DoctorOptions) -> Iterator[CheckResult]:
    kind = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    if problem := find_problem():
        yield CheckResult(NAME, "problem", problem.message, problem.advice)
        return
    version = _version()
    facts = {"kind": kind, "version": version}
    migrations = _migrations()
    yield migrations
    if migrations.status == "problem":  # there may be no table to write to
        yield CheckResult(NAME, "ok", f"{kind} {version} answers.", facts=facts)
        return
    try:
        _write_and_undo()
    except (DatabaseError, InterfaceError) as error:
        message = f"{kind} {version} answers, but takes no writes: {first_line(error)}"
        advice = "Look for a full disk, a read-only server (a standby), or a long transaction."
        yield CheckResult(NAME, "problem", message, advice, facts)
    else:
        yield CheckResult(NAME, "ok", f"{kind} {version} answers and takes writes.", facts=facts)


def _version() -> str:
    with connection.cursor() as cursor:
        is_sqlite = connection.vendor == "sqlite"
        cursor.execute("SELECT sqlite_version()" if is_sqlite else "SHOW server_version")
        return str(cursor.fetchone()[0]).partition(" ")[0]


def _write_and_undo() -> None:
    with transaction.atomic():
        Worker.objects.create(host="doctor", pid=0, process_started="", heartbeat_at=Now())
        transaction.set_rollback(True)


def _migrations() -> CheckResult:
    state = migration_state()
    if state.missing:
        message = f"{len(state.missing)} migrations are not applied: {', '.join(state.missing[:3])}"
        facts = {"missing": len(state.missing)}
        return CheckResult(MIGRATIONS, "problem", message, "Run: manage.py migrate", facts)
    if state.unknown:
        names = ", ".join(state.unknown[:3])
        message = f"The database has migrations of a newer version: {names}"
        advice = (
            "Nothing, if you have rolled back to this version. Otherwise install the newer one."
        )
        facts = {"unknown": len(state.unknown)}
        return CheckResult(MIGRATIONS, "warning", message, advice, facts)
    count = len(state.applied)
    message = f"All {count} migrations are applied."
    return CheckResult(MIGRATIONS, "ok", message, facts={"applied": count})
