"""What the site creates in DATA_DIR is for its user only, whatever umask and folder are."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from chat.site_status import backup_and_seals
from project import private_files
from tests.support.database import database_templates
from tests.support.servers.server import ROOT, environment

#: Anything goes that the operator's shell may have.
OPEN_UMASK = 0


def run(env: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, umask=OPEN_UMASK, check=True,
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


def modes(folder: Path) -> dict[str, int]:
    """Return the permissions of all files but static ones, by path."""
    files = (each for each in folder.rglob("*") if each.is_file())
    found = {str(each.relative_to(folder)): stat.S_IMODE(each.stat().st_mode) for each in files}
    return {name: mode for name, mode in found.items() if not name.startswith("static/")}


#: One process, as each takes seconds to start.
USE = """
from django.core.mail import send_mail
from django.core.management import call_command
call_command("prepare")
send_mail("Hello", "Hello", None, ["alice@example.org"])
call_command("backup", "{backup}")
call_command("prune", verbosity=0)
"""


@pytest.mark.long
def test_whatever_makes_a_file_closes_it_and_the_doctor_finds_no_fault(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)  # like an operator's `mkdir`
    database_templates.copy_sqlite(data / "runnel.sqlite3")
    database_templates.copy_static(data / "static")
    env = environment(data, 8000)
    run(env, "manage.py", "shell", "--command", USE.format(backup=data / "site.backup"))
    found = modes(data)
    assert {"secret_key", "start.lock", "last_backup", "runnel.sqlite3", "site.backup"} <= {*found}
    assert [name for name in found if name.startswith("mail/")]
    assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}
    skipped = [f"--skip={name}" for name in ("static", "streaming", "proxy", "silence", "model")]
    report = json.loads(run(env, "manage.py", "doctor", "--json", *skipped))
    (files,) = [each for each in report["results"] if each["check"] == "Data files"]
    assert files["status"] == "ok"


def test_a_mark_that_was_left_open_is_closed(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    mark = tmp_path / backup_and_seals.BACKUP_MARK
    mark.touch(0o644)
    os.utime(mark, (0, 0))
    backup_and_seals.record_backup()
    assert stat.S_IMODE(mark.stat().st_mode) == 0o600
    assert mark.stat().st_mtime > 0


def test_the_opener_ignores_the_umask(tmp_path: Path) -> None:
    before = os.umask(OPEN_UMASK)
    try:
        with open(tmp_path / "new", "a", opener=private_files.opener):
            pass
    finally:
        os.umask(before)
    assert modes(tmp_path) == {"new": 0o600}
