"""`doctor` tells what is wrong with the settings, the database, Redis, files and static files."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from chat.database.problem import DatabaseProblem, unreachable
from chat.doctor import clock_check, database_check, run_checks, static_check
from chat.doctor.check_result import Check, CheckResult, DoctorOptions
from chat.doctor.clock_check import check_clock
from chat.doctor.database_check import check_database
from chat.doctor.disk_check import check_data_files, check_disk
from chat.doctor.redis_check import check_redis
from chat.doctor.settings_check import check_settings
from chat.doctor.static_check import check_static
from chat.generations.models import Worker
from chat.generations.process import workers
from tests.support.database.database_faults import read_only
from tests.support.database.last_migration import LAST_MIGRATION


def found_by(check: Check, options: DoctorOptions | None = None) -> list[CheckResult]:
    return list(check(options or DoctorOptions()))


def only(check: Check, name: str, options: DoctorOptions | None = None) -> CheckResult:
    (found,) = [each for each in found_by(check, options) if each.check == name]
    return found


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("https://chat.example.org", "ok"),
        ("http://localhost:8000", "warning"),
        ("http://127.0.0.1:8000", "warning"),
        ("http://chat.example.org", "problem"),
    ],
)
def test_an_address_without_encryption_is_a_problem_for_others(
    url: str, status: str, settings: Settings
) -> None:
    settings.SITE_URL = url
    found = found_by(check_settings)
    assert found[-1].status == status
    assert not [each for each in found if "security.W008" in each.message]


def test_debug_is_a_problem(settings: Settings) -> None:
    settings.DEBUG = True
    assert ("problem", True) in {(e.status, "DEBUG" in e.advice) for e in found_by(check_settings)}


@pytest.mark.django_db(transaction=True)
def test_a_database_that_works_has_a_version_and_is_left_as_it_was() -> None:
    found = only(check_database, "Database")
    assert found.status == "ok"
    assert found.facts["version"][0].isdigit()
    assert not Worker.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_no_writes_is_a_problem() -> None:
    with read_only():
        found = only(check_database, "Database")
    assert found.status == "problem"
    assert "takes no writes" in found.message


@pytest.mark.django_db
def test_a_database_that_cannot_be_reached_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def problem() -> DatabaseProblem:
        return unreachable(OperationalError("connection refused\nIs the server running?"))

    monkeypatch.setattr(database_check, "find_problem", problem)
    (found,) = found_by(check_database)
    assert found.status == "problem"
    assert found.message.endswith("can't be reached: connection refused.")


@pytest.mark.django_db
def test_missing_and_unknown_migrations_are_told() -> None:
    recorder = MigrationRecorder(connection)
    assert only(check_database, "Migrations").status == "ok"
    recorder.record_applied("chat", "9999_from_the_future")
    assert "newer version" in only(check_database, "Migrations").message
    recorder.record_unapplied("chat", LAST_MIGRATION)
    missing = only(check_database, "Migrations")
    assert "answers" in only(check_database, "Database").message
    assert LAST_MIGRATION in missing.message
    assert "manage.py migrate" in missing.advice


def with_redis(settings: Settings, location: str) -> None:
    backend = "chat.database.redis_or_table_cache.RedisOrTableCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": location}}


def test_redis_is_written_to(settings: Settings, redis_url: str) -> None:
    with_redis(settings, redis_url)
    assert "takes writes" in only(check_redis, "Redis").message


def test_a_redis_that_is_away_is_a_problem(settings: Settings) -> None:
    with_redis(settings, "redis://:s3cret@127.0.0.1:9/0")
    found = only(check_redis, "Redis")
    assert found.status == "problem"
    assert "s3cret" not in repr(found)


@pytest.mark.django_db
def test_several_processes_need_redis() -> None:
    assert only(check_redis, "Redis").status == "ok"
    workers.register()
    workers.register()
    assert only(check_redis, "Redis").status == "warning"


def test_too_little_space_is_a_problem(settings: Settings) -> None:
    settings.MIN_FREE_BYTES = 2**60
    assert {each.status for each in found_by(check_disk)} == {"problem"}


def test_files_that_others_can_read_are_a_problem(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    (tmp_path / "static").mkdir()
    for name, mode in {"static/app.js": 0o644, "secret_key": 0o600}.items():
        (tmp_path / name).touch(mode)
        (tmp_path / name).chmod(mode)
    tmp_path.chmod(0o755)
    assert only(check_data_files, "Data files").status == "ok"
    (tmp_path / "secret_key").chmod(0o644)
    found = only(check_data_files, "Data files")
    assert (found.status, "secret_key" in found.message) == ("problem", True)
    tmp_path.chmod(0o700)
    assert only(check_data_files, "Data files").status == "ok"


def test_what_others_cannot_reach_or_read_is_no_problem(settings: Settings, tmp_path: Path) -> None:
    """A script of the operator touches `last_backup`, as docs/monitoring.md says."""
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o755)
    (tmp_path / "last_backup").touch(0o644)
    (tmp_path / "link").symlink_to("/etc/hostname")
    (tmp_path / "closed").mkdir(0o700)
    (tmp_path / "closed" / "letter").touch(0o644)
    (tmp_path / "closed" / "letter").chmod(0o644)
    assert only(check_data_files, "Data files").status == "ok"
    (tmp_path / "closed").chmod(0o711)
    assert "letter" in only(check_data_files, "Data files").message


@pytest.fixture
def collected(settings: Settings, tmp_path: Path) -> Path:
    """Collect one file; return its source."""
    source, root = tmp_path / "source", tmp_path / "root"
    source.mkdir()
    (source / "app.js").write_text("let x = 1;")
    shutil.copytree(source, root)
    (root / "app.abc.js").write_text("let x = 1;")
    (root / "staticfiles.json").write_text(json.dumps({"paths": {"app.js": "app.abc.js"}}))
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], root
    return source / "app.js"


def static_finding() -> CheckResult:
    return found_by(check_static)[-1]


def test_static_files_are_compared_with_their_sources(collected: Path, settings: Settings) -> None:
    assert static_finding().status == "ok"
    collected.write_text("let x = 2;")
    assert (static_finding().status, "app.js" in static_finding().message) == ("problem", True)
    assert "collectstatic" in static_finding().advice
    settings.STATIC_ROOT = collected.parent
    assert "aren't collected" in static_finding().message


def test_what_is_not_built_is_a_warning(
    collected: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(static_check, "BUNDLES", ("js/none.js",))
    settings.LOCALE_PATHS = [collected.parent]
    advice = [each.advice for each in found_by(check_static) if each.status == "warning"]
    assert ["assets" in advice[0], "compilemessages" in advice[1]] == [True, True]


@pytest.mark.django_db
@pytest.mark.parametrize(("offset", "status"), [(1, "ok"), (-9, "warning"), (3600, "problem")])
def test_a_clock_that_differs_is_told(offset: float, status: str) -> None:
    options = DoctorOptions(clock_offsets={"https://chat.example.org": offset})
    assert only(check_clock, clock_check.NAME, options).status == status


def test_a_check_that_fails_does_not_end_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: DoctorOptions) -> list[CheckResult]:
        raise RuntimeError("out of paper")

    checks: dict[str, Any] = {"one": fail, "two": lambda _: [CheckResult("Two", "ok", "It works.")]}
    monkeypatch.setattr(run_checks, "CHECKS", checks)
    broken, working = run_checks.run_checks(DoctorOptions())
    assert (broken.status, "out of paper" in broken.message) == ("problem", True)
    assert working.status == "ok"


def test_the_command_prints_a_line_for_each_finding_and_fails_on_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = [
        CheckResult("One", "ok", "Fine."),
        CheckResult("Two", "warning", "Meh.", "Try this."),
    ]
    monkeypatch.setattr(run_checks, "CHECKS", {"one": lambda _: findings})
    call_command("doctor", no_color=True)
    said = capsys.readouterr().out
    assert "warning  Two" in said
    assert "→ Try this." in said
    findings.append(CheckResult("Three", "problem", "Broken."))
    with pytest.raises(CommandError, match=r"Problems: 1\. Warnings: 1\. OK: 1\."):
        call_command("doctor")
