"""Killed and failed backups and restores leave nothing behind."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command

from chat.accounts.models import User
from chat.backup import archive, create
from chat.backup.create import back_up
from chat.backup.errors import BackupError
from chat.doctor.check_result import DoctorOptions
from chat.doctor.disk_check import check_disk
from chat.lib import staging_folders
from tests.support.servers.server import ROOT

HOLD = """
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def left() -> list[Path]:
    return sorted(Path(site.DATA_DIR).glob("unfinished-*"))


@pytest.fixture
def copy_in_use() -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """Return a folder with a copy of the database, and the process that makes it."""
    folder = Path(site.DATA_DIR) / "unfinished-one"
    folder.mkdir()
    (folder / "database.sqlite3").write_bytes(b"all chats")
    command = [sys.executable, "-c", HOLD, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield folder, process
        process.kill()
    staging_folders.remove_abandoned()


def test_what_a_killed_process_left_is_told_and_removed_but_nothing_in_use(
    alice: User, copy_in_use: tuple[Path, subprocess.Popen[str]], tmp_path: Path
) -> None:
    folder, process = copy_in_use
    back_up(tmp_path / "first", None)
    call_command("prune", verbosity=0)
    assert left() == [folder]
    process.kill()
    process.wait()
    (found,) = [each for each in check_disk(DoctorOptions()) if "killed" in each.message.lower()]
    assert (found.status, str(folder) in found.message) == ("warning", True)
    back_up(tmp_path / "second", None)
    assert left() == []


def test_prune_removes_what_a_killed_process_left(alice: User) -> None:
    (Path(site.DATA_DIR) / "unfinished-two").mkdir()
    call_command("prune", verbosity=0)
    assert left() == []


def test_the_next_backup_removes_half_a_file_beside_it(alice: User, tmp_path: Path) -> None:
    half = tmp_path / f"yesterday.tar{archive.UNFINISHED}"
    other = tmp_path / "something.unfinished"
    for path in (half, other):
        path.write_bytes(b"all chats")
    back_up(tmp_path / "today.tar", None)
    assert sorted(tmp_path.iterdir()) == [other, tmp_path / "today.tar"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (sqlite3.OperationalError("database or disk is full"), "database or disk is full"),
        (OSError(28, "No space left on device"), "No space left on device"),
    ],
)
def test_a_full_disk_is_told_in_one_line_and_leaves_nothing(
    alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fail(folder: Path) -> Any:
        (folder / "part").write_bytes(b"half")
        raise error

    monkeypatch.setattr(create, "_dump_database", fail)
    with pytest.raises(CommandError, match=words) as told:
        call_command("backup", str(tmp_path / "backup.tar"), stdout=StringIO())
    assert "\n" not in str(told.value)
    assert list(tmp_path.iterdir()) == left() == []


def test_a_backup_error_is_no_other_error() -> None:
    with pytest.raises(BackupError):
        back_up(Path("/nowhere/backup.tar"), None)


@pytest.mark.parametrize("is_made", [False, True])
def test_a_failed_restore_into_a_new_folder_leaves_it_as_it_was(
    tmp_path: Path, is_made: bool
) -> None:
    data, backup = tmp_path / "data", tmp_path / "backup.tar"
    backup.write_bytes(b"no backup")
    if is_made:
        data.mkdir()
    assert "Nothing was changed" in restored(data, backup)
    assert data.exists() == is_made
    assert not is_made or list(data.iterdir()) == []


def test_a_failed_restore_beside_data_removes_none_of_it(tmp_path: Path) -> None:
    data, backup = tmp_path / "data", tmp_path / "backup.tar"
    backup.write_bytes(b"no backup")
    data.mkdir()
    (data / "secret_key").write_text("x" * 60)
    (data / "secret_key").chmod(0o600)
    assert "Nothing was changed" in restored(data, backup)
    assert [each.name for each in data.iterdir()] == ["secret_key"]


def restored(data: Path, backup: Path) -> str:
    """Restore in a process of its own, with SQLite; return its error."""
    env = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "DATA_DIR": str(data)}
    command = [sys.executable, "manage.py", "restore", str(backup)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr
