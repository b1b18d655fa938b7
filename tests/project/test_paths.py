"""Private files are never among static files, and paths are the same wherever a command runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from chat.backup import create
from chat.backup.errors import BackupError
from tests.support.servers.server import ROOT, environment
from tests.support.servers.settings_process import read

PATHS = "(AUDIT_SEALS_PATH, str(STATIC_ROOT), DATABASES['default']['NAME'])"


@pytest.mark.parametrize(
    ("settings", "private"),
    [
        ({"STATIC_DIR": "{0}/data"}, "{0}/data"),
        ({"STATIC_DIR": "{0}"}, "{0}/data"),
        ({"STATIC_DIR": "{0}/link"}, "{0}/data"),
        ({"STATIC_DIR": "{0}/data/mail"}, "{0}/data/mail"),
        ({"STATIC_DIR": str(ROOT)}, str(ROOT)),
        ({"STATIC_DIR": "{0}/s", "AUDIT_SEALS_PATH": "{0}/s/seals.txt"}, "{0}/s/seals.txt"),
        ({"STATIC_DIR": "{0}/s", "AUDIT_LOG_TO": "{0}/s/audit.log"}, "{0}/s/audit.log"),
        ({"STATIC_DIR": "{0}/s", "DATABASE_URL": "sqlite:///{0}/s/a.sqlite3"}, "{0}/s/a.sqlite3"),
        ({"STATIC_DIR": "{0}/s", "METRICS_TOKEN_FILE": "{0}/s/token"}, "{0}/s/token"),
    ],
)
def test_a_private_file_among_static_files_aborts_startup(
    settings: dict[str, str], private: str, tmp_path: Path
) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "token").write_text("t0ken")
    (tmp_path / "link").symlink_to(tmp_path)
    named = {name: value.format(tmp_path) for name, value in settings.items()}
    result = read(tmp_path, "DEBUG", **named)
    assert result.returncode == 1
    assert f"but {private.format(tmp_path)} is there" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("how", ["a file", "a link to nothing"])
@pytest.mark.parametrize("name", ["STATIC_DIR", "DATA_DIR"])
def test_a_file_in_the_place_of_a_folder_aborts_startup(
    name: str, how: str, tmp_path: Path
) -> None:
    path = tmp_path / ("static" if name == "STATIC_DIR" else "data/mail")
    path.parent.mkdir(exist_ok=True)
    path.write_text("") if how == "a file" else path.symlink_to("/nowhere")
    result = read(tmp_path, "DEBUG", STATIC_DIR=str(tmp_path / "static"))
    assert result.returncode == 1
    assert f"{name} needs a folder, but this is none: {path}" in result.stderr


def test_relative_paths_begin_in_the_projects_folder(tmp_path: Path) -> None:
    """Otherwise a command that runs elsewhere would verify the audit log without its seals."""
    (tmp_path / "var").mkdir()
    database = ROOT / "var" / f"test_paths_{os.getpid()}.sqlite3"
    relative = {
        "AUDIT_SEALS_PATH": "var/test_paths/seals.txt",
        "STATIC_DIR": "var/test_paths/static",
        "DATABASE_URL": f"sqlite:///var/{database.name}",
        "PYTHONPATH": str(ROOT),
    }
    code = f"from project.settings import *; print(*{PATHS})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(tmp_path / "data", 8000, **relative),
        capture_output=True,
        text=True,
    )
    database.unlink(missing_ok=True)
    expected = ["test_paths/seals.txt", "test_paths/static", database.name]
    assert done.stdout.split() == [f"{ROOT}/var/{each}" for each in expected], done.stderr


def test_a_backup_is_not_written_where_everybody_can_read_it(
    tmp_path: Path, settings: Settings
) -> None:
    settings.STATIC_ROOT = tmp_path
    folder = tmp_path / "backups"
    folder.mkdir()
    with pytest.raises(BackupError, match="Everybody can read"):
        create.back_up(folder / "site.tar", None)
    assert list(folder.iterdir()) == []
