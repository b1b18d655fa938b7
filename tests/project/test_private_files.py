"""Other users of the machine cannot read the database or mails."""

import os
from pathlib import Path

import pytest

from project import private_files
from tests.support.servers.server import environment, manage

WRITES = """
from django.core.mail import send_mail
from django.db import connection
connection.cursor().execute("CREATE TABLE words (word)")
send_mail("Reset", "a link", None, ["alice@example.org"])
"""


def open_to_others(folder: Path) -> list[str]:
    """Return the files that other users can read."""
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if (Path(root) / each).stat().st_mode & 0o055]
        found += [each for each in files if (Path(root) / each).stat().st_mode & 0o044]
    return sorted(found)


def test_files_in_an_open_folder_are_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    env = environment(tmp_path, 8000) | {"EMAIL_URL": ""}
    before = os.umask(0o022)
    try:
        manage("shell", "-c", WRITES, env=env)
    finally:
        os.umask(before)
    assert (tmp_path / "runnel.sqlite3").stat().st_size > 0
    assert list((tmp_path / "mail").iterdir())
    assert open_to_others(tmp_path) == []


def test_files_left_open_by_an_earlier_version_are_made_private_at_startup(tmp_path: Path) -> None:
    mail = tmp_path / "mail" / "1.log"
    mail.parent.mkdir(mode=0o755)
    names = ("runnel.sqlite3", "runnel.sqlite3-wal", "audit_seals.txt")
    for path in (mail, *(tmp_path / name for name in names)):
        path.touch(mode=0o644)
        path.chmod(0o644)
    manage("check", env=environment(tmp_path, 8000))
    assert open_to_others(tmp_path) == []


def test_startup_is_aborted_if_files_cannot_be_made_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.sqlite3"
    path.touch(mode=0o644)
    path.chmod(0o644)

    def refuse(self: Path, mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    databases = {"default": {"ENGINE": private_files.SQLITE, "NAME": str(path)}}
    with pytest.raises(SystemExit) as stopped:
        private_files.protect(databases)
    assert f"chmod go-rwx {path}" in str(stopped.value) + capsys.readouterr().err
