"""A restore destroys no file that it has not made itself."""

import shutil
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.db import connections

from chat.accounts.models import User
from chat.backup import site_files
from chat.backup.create import back_up
from chat.lib import new_files

pytestmark = pytest.mark.usefixtures("stop_server_process")


@pytest.fixture
def seals() -> Iterator[Path]:
    path = Path(site.AUDIT_SEALS_PATH)
    path.write_text("2026-11-21:old\n")
    yield path
    path.unlink(missing_ok=True)
    new_files.forget()
    for each in Path(site.DATA_DIR).glob("replaced-*"):
        shutil.rmtree(each)


def kept() -> dict[str, str]:
    """Return the replaced seals and mails, by name."""
    found = Path(site.DATA_DIR).glob("replaced-*/**/*")
    return {
        each.name: each.read_text()
        for each in found
        if each.is_file() and ".sqlite3" not in each.name and each.name != "secret_key"
    }


def restored(backup: Path, *options: str) -> str:
    said = StringIO()
    call_command("restore", str(backup), *options, stdout=said, stderr=StringIO())
    connections.close_all()
    return said.getvalue()


def test_newer_seals_and_mails_beside_a_lost_database_are_kept_and_named(
    alice: User, seals: Path, tmp_path: Path
) -> None:
    back_up(tmp_path / "backup", None)
    seals.write_text("2026-11-28:newer\n")
    mail = Path(site.EMAIL_FILE_PATH)
    mail.mkdir(exist_ok=True)
    (mail / "letter").write_text("To: alice")
    User.all_objects.all().delete()  # the new database instead of the lost one
    said = restored(tmp_path / "backup")
    (aside,) = Path(site.DATA_DIR).glob("replaced-*")
    assert f"What was there before is in {aside}" in said
    assert kept() == {seals.name: "2026-11-28:newer\n", "letter": "To: alice"}
    assert seals.read_text() == "2026-11-21:old\n"


def test_only_what_the_command_made_by_starting_is_removed(
    alice: User, seals: Path, tmp_path: Path
) -> None:
    back_up(tmp_path / "backup", None)
    shutil.rmtree(site.EMAIL_FILE_PATH, ignore_errors=True)
    User.all_objects.all().delete()
    for each in (Path(site.DATABASES["default"]["NAME"]), *site_files.places().values()):
        new_files.note(each)
    said = restored(tmp_path / "backup")
    assert "What was there before" not in said
    assert list(Path(site.DATA_DIR).glob("replaced-*")) == []
    assert list(User.objects.values_list("email", flat=True)) == [alice.email]
