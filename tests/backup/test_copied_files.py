"""Files that can't be copied, or vanish meanwhile, while a site is backed up."""

import os
import shutil
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from pytest_django import Settings

from chat.accounts.models import User
from chat.backup import site_files
from chat.backup.create import back_up
from tests.support.attacks.changed_backups import no_file_above


@pytest.fixture
def mail(alice: User, settings: Settings, tmp_path: Path) -> Path:
    folder = tmp_path / "mail"
    (folder / "old").mkdir(parents=True)
    for name in ("first", "second", "old/third"):
        (folder / name).write_text("To: alice")
    settings.EMAIL_FILE_PATH = folder
    return folder


def said(tmp_path: Path) -> str:
    """Return why no backup is made."""
    with pytest.raises(CommandError) as told:
        call_command("backup", str(tmp_path / "backup"))
    assert not (tmp_path / "backup").exists()
    assert list(Path(site.DATA_DIR).glob("unfinished-*")) == []
    return str(told.value)


def test_an_email_that_is_removed_meanwhile_is_left_out(
    mail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copyfile

    def copy_late(source: Path, target: Path) -> None:
        if source.name == "first":
            source.unlink()
        copy(source, target)

    monkeypatch.setattr(site_files.shutil, "copyfile", copy_late)
    made = back_up(tmp_path / "backup", None)
    mails = {part.name for part in made.parts if part.name.startswith("files/mail/")}
    assert mails == {"files/mail/second", "files/mail/old/third"}


def test_an_email_that_cannot_be_read_is_named(
    mail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, _target: Path) -> None:
        raise PermissionError(13, "Permission denied", str(source))

    with monkeypatch.context() as patched:
        patched.setattr(site_files.shutil, "copyfile", refuse)
        patched.setattr(site_files, "places", lambda: {"mail": mail})
        assert "Permission denied" in (words := said(tmp_path))
    assert f"{mail}/" in words


def test_a_pipe_among_the_emails_is_named(mail: Path, tmp_path: Path) -> None:
    os.mkfifo(mail / "pipe")
    assert f"`{mail / 'pipe'}` is a named pipe" in said(tmp_path)


def test_a_file_in_the_place_of_the_emails_is_named(
    mail: Path, tmp_path: Path, settings: Settings
) -> None:
    settings.EMAIL_FILE_PATH = mail / "first"
    assert f"{mail / 'first'} can't be used: Not a directory" in said(tmp_path)


def test_a_link_of_the_seals_to_a_disk_that_is_not_mounted_is_named(
    mail: Path, tmp_path: Path, settings: Settings
) -> None:
    settings.AUDIT_SEALS_PATH = str(tmp_path / "seals.txt")
    (tmp_path / "seals.txt").symlink_to("/nowhere/seals.txt")
    assert f"{tmp_path / 'seals.txt'} is a link" in said(tmp_path)


def test_a_copy_that_does_not_fit_names_the_folder_of_the_copies(
    mail: Path, tmp_path: Path
) -> None:
    (mail / "first").write_bytes(bytes(200_000))
    with no_file_above(100_000):
        words = said(tmp_path)
    assert f"{site.DATA_DIR} can't be used: File too large" in words
