"""A restore destroys no file that it has not made itself."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.db import connections

from chat.accounts.models import User
from chat.backup import file_exchange, site_files
from chat.backup.create import back_up
from chat.lib import new_files

pytestmark = pytest.mark.usefixtures("stop_server_process")


@pytest.fixture
def seals() -> Iterator[Path]:
    path = Path(site.AUDIT_SEALS_PATH)
    remove_replaced()  # of other tests, as are these emails
    shutil.rmtree(site.EMAIL_FILE_PATH, ignore_errors=True)
    path.write_text("2026-11-21:old\n")
    yield path
    path.unlink(missing_ok=True)
    new_files.forget()
    remove_replaced()


def remove_replaced() -> None:
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


@pytest.fixture
def backup(alice: User, seals: Path, tmp_path: Path) -> Path:
    """Return a backup of alice and the seals; bob and other seals come after it."""
    back_up(tmp_path / "backup", None)
    User.objects.create_user("bob@example.org")
    seals.write_text("2026-11-28:newer\n")
    return tmp_path / "backup"


def failed(backup: Path) -> str:
    """Return why a restore fails, which must leave everything as it was."""
    with pytest.raises(CommandError) as told:
        restored(backup, "--replace")
    connections.close_all()
    assert User.objects.filter(email="bob@example.org").exists()
    assert Path(site.AUDIT_SEALS_PATH).read_text() == "2026-11-28:newer\n"
    assert [each.name for each in Path(site.DATA_DIR).rglob("*restored*")] == []
    assert [each.name for each in Path(site.DATA_DIR).glob("replaced-*")] == []
    assert "Nothing was changed" in str(told.value)
    return str(told.value)


def refusing(place: Path, code: int) -> Callable[[Path, Path], Path]:
    """Return a `rename` that refuses to move anything from or to `place`."""

    def rename(source: Path, target: Path) -> Path:
        if place in {source, target} and "restored" not in target.name:
            raise OSError(code, os.strerror(code), str(place))
        os.rename(source, target)
        return target

    return rename


def test_a_file_that_cannot_be_replaced_leaves_the_database_as_it_was(
    backup: Path, seals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", refusing(seals, errno.EROFS))
        assert f"{seals} can't be used: Read-only file system" in failed(backup)


def test_a_place_without_room_is_found_before_anything_is_replaced(
    backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(_source: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(file_exchange.shutil, "move", fill)
        assert "No space left" in failed(backup)


def test_seals_on_another_disk_are_kept_beside_their_place(
    backup: Path, seals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(source: Path, target: Path) -> None:
        if source == seals and target.parent != seals.parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        os.rename(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename)
        said = restored(backup, "--replace")
    (beside,) = seals.parent.glob(f"{seals.name}.replaced-*")
    assert f" and {beside}; remove it later" in said
    assert beside.read_text() == "2026-11-28:newer\n"
    assert seals.read_text() == "2026-11-21:old\n"
    beside.unlink()


def test_a_link_of_the_seals_to_another_place_stays(
    backup: Path, seals: Path, tmp_path: Path
) -> None:
    shutil.move(seals, tmp_path / "elsewhere")
    seals.symlink_to(tmp_path / "elsewhere")
    restored(backup, "--replace")
    assert seals.is_symlink()
    assert (tmp_path / "elsewhere").read_text() == "2026-11-21:old\n"
    assert kept() == {seals.name: "2026-11-28:newer\n"}


def test_what_cannot_be_put_back_is_told(
    backup: Path, seals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_broken = False

    def rename(source: Path, target: Path) -> None:
        nonlocal is_broken
        is_broken = is_broken or source == seals
        if is_broken:
            raise OSError(errno.EIO, "Input/output error", str(source))
        os.rename(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename)
        with pytest.raises(CommandError, match="can't be put back") as told:
            restored(backup, "--replace")
    assert "Nothing was changed" not in str(told.value)
    assert "Move what is in" in str(told.value)
