"""Mails that were written to files, because there is no mail server, are removed after a week."""

import os
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from chat.accounts import mail


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    settings.EMAIL_FILE_PATH.mkdir()
    return tmp_path / "mail"


def test_old_files_are_removed_and_new_ones_stay(folder: Path) -> None:
    for name, days in (("old.log", 8), ("new.log", 6), ("notes.txt", 8)):
        file = folder / name
        file.write_text("https://chat.example.org/link")
        written = time.time() - days * 24 * 3600
        os.utime(file, (written, written))
    mail.remove_old_files()
    assert {each.name for each in folder.iterdir()} == {"new.log", "notes.txt"}


def test_a_site_that_never_wrote_a_mail_has_no_folder(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = tmp_path / "nowhere"
    mail.remove_old_files()
    assert not (tmp_path / "nowhere").exists()
