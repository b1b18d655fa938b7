"""A backup that no restore would accept is not made."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as site
from pytest_django import Settings

from chat.accounts.models import User
from chat.backup import restorable
from chat.backup.create import back_up
from chat.backup.errors import BackupError
from tests.support.servers.settings_process import read


@pytest.fixture
def mail(alice: User, settings: Settings, tmp_path: Path) -> Iterator[Path]:
    """Return a folder of emails; expect that no backup is made."""
    folder, backup = tmp_path / "mail", tmp_path / "backup"
    folder.mkdir()
    settings.EMAIL_FILE_PATH = folder
    yield folder
    assert not backup.exists()
    assert list(Path(site.DATA_DIR).glob("unfinished-*")) == []


def test_a_folder_in_the_place_of_the_seals(mail: Path, settings: Settings, tmp_path: Path) -> None:
    (mail / "letter").write_text("To: alice")
    settings.AUDIT_SEALS_PATH = str(mail)
    with pytest.raises(BackupError):
        back_up(tmp_path / "backup", None)


def test_more_files_than_a_manifest_may_describe(
    mail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restorable, "MAX_BYTES", 1000)
    with pytest.raises(BackupError, match=f"too many files.*{mail}"):
        back_up(tmp_path / "backup", None)


def test_a_file_whose_name_is_no_text(mail: Path, tmp_path: Path) -> None:
    (mail / os.fsdecode(b"letter\xff")).write_text("To: alice")
    with pytest.raises(BackupError, match=r"letter\\udcff' is no name in UTF-8"):
        back_up(tmp_path / "backup", None)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("AUDIT_SEALS_PATH", "data/audit_seals.txt"),
        ("DATABASE_URL", "data/runnel.sqlite3"),
        ("SECRET_KEY", "data/secret_key"),
    ],
)
def test_a_folder_in_the_place_of_a_file_aborts_startup(
    name: str, path: str, tmp_path: Path
) -> None:
    (tmp_path / path).mkdir(parents=True)
    result = read(tmp_path, "DEBUG")
    assert result.returncode == 1
    assert f"{name} needs a file" in result.stderr
    assert str(tmp_path / path) in result.stderr
    assert len(result.stderr.splitlines()) == 1
