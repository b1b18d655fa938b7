"""A backup that is damaged, cut off or not readable changes nothing."""

import io
import os
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.db import connection, connections
from pytest_django import Settings

from chat.accounts.models import User
from chat.backup import archive, encrypted_file
from chat.backup.create import back_up
from chat.backup.encrypted_file import EncryptingWriter
from chat.backup.errors import BackupError
from chat.backup.manifest import Part, decode, encode
from chat.backup.restore import restore

PASSPHRASE = "a long walk by the sea"


@pytest.fixture(autouse=True)
def _cheap_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encrypted_file, "LOG_N", 10)


@pytest.fixture
def nothing_changes(alice: User) -> Iterator[None]:
    """Expect the same people and files at the end."""
    before = files()
    yield
    assert files() == before
    assert list(User.objects.values_list("email", flat=True)) == [alice.email]


def files() -> dict[str, bytes]:
    """Return the files of DATA_DIR but SQLite's, which change when it is read."""
    found = [path for path in Path(site.DATA_DIR).rglob("*") if path.is_file()]
    return {str(path): path.read_bytes() for path in found if ".sqlite3" not in path.name}


def flip(data: bytes, position: int) -> bytes:
    return data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]


def last_of_part(data: bytes) -> int:
    """Return the position of a byte in the first file of the archive besides the manifest."""
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return next(each.offset_data for each in tar if each.name != archive.MANIFEST and each.size)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a changed byte": lambda data: flip(data, last_of_part(data)),
    "a changed manifest": lambda data: flip(data, 520),
    "the first half": lambda data: data[: len(data) // 2],
    "the first block": lambda data: data[:512],
    "nothing": lambda data: b"",
    "something else": lambda data: b"GIF89a" + data,
}
ENCRYPTED: dict[str, Callable[[bytes], bytes]] = {
    "a changed header": lambda data: flip(data, encrypted_file.HEADER.size - 1),
    "expensive keys": lambda data: data[:26] + b"\x1e" + data[27:],
    "a changed byte": lambda data: flip(data, len(data) // 2),
    "a changed end": lambda data: flip(data, len(data) - 1),
    "the first half": lambda data: data[: len(data) // 2],
    "one chunk": lambda data: data[: encrypted_file.HEADER.size + 64 * 1024 + 16],
    "the header": lambda data: data[: encrypted_file.HEADER.size],
    "half a header": lambda data: data[:30],
}


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_backup(damage: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    back_up(backup, None)
    backup.write_bytes(DAMAGES[damage](backup.read_bytes()))
    with pytest.raises(BackupError):
        restore(backup, "", replace=True)


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("damage", ENCRYPTED)
def test_a_damaged_encrypted_backup(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encrypted_file, "CHUNK_BYTES", 64 * 1024)
    backup = tmp_path / "backup"
    back_up(backup, PASSPHRASE)
    data = backup.read_bytes()
    assert b"alice@example.org" not in data
    backup.write_bytes(ENCRYPTED[damage](data))
    with pytest.raises(BackupError, match="damaged"):
        restore(backup, PASSPHRASE, replace=True)


@pytest.mark.usefixtures("nothing_changes")
def test_a_changed_end_behind_the_last_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encrypted_file, "CHUNK_BYTES", tarfile.RECORDSIZE)
    backup = tmp_path / "backup"
    back_up(backup, None)
    padded = backup.read_bytes() + bytes(tarfile.RECORDSIZE)
    with backup.open("wb") as file:
        writer = EncryptingWriter(file, PASSPHRASE)
        writer.write(padded)
        writer.finish()
    data = backup.read_bytes()
    backup.write_bytes(flip(data, len(data) - 1))
    with pytest.raises(BackupError, match="damaged"):
        restore(backup, PASSPHRASE, replace=True)


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("passphrase", "words"),
    [
        ("another long walk", "passphrase is wrong"),
        ("", "BACKUP_PASSPHRASE is not set"),
        ("short", "too short"),
    ],
)
def test_an_encrypted_backup_with_a_wrong_passphrase(
    passphrase: str, words: str, tmp_path: Path, settings: Settings
) -> None:
    back_up(tmp_path / "backup", PASSPHRASE)
    settings.BACKUP_PASSPHRASE = passphrase
    with pytest.raises(CommandError, match=f"{words}.* Nothing was changed"):
        call_command("restore", str(tmp_path / "backup"), "--replace")


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("name", ["files/surprise", "../surprise", "/tmp/surprise"])
def test_a_backup_with_a_file_where_none_belongs(name: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    back_up(backup, None)
    with tarfile.open(backup) as tar:
        contents = {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]
    if not name.startswith("files"):  # even if the manifest knows it
        manifest = decode(contents[archive.MANIFEST])
        manifest.parts.append(Part(name, 1, "0" * 64))
        contents[archive.MANIFEST] = encode(manifest)
    with tarfile.open(backup, "w") as tar:
        for each, content in (contents | {name: b"x"}).items():
            member = tarfile.TarInfo(each)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    with pytest.raises(BackupError, match="should not"):
        restore(backup, "", replace=True)


@pytest.mark.usefixtures("nothing_changes")
def test_a_failure_while_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the machine is switched off")

    back_up(tmp_path / "backup", None)
    with monkeypatch.context() as patched:
        patched.setattr("chat.backup.restore.workers.close_orphans", fail)
        with pytest.raises(RuntimeError):
            restore(tmp_path / "backup", "", replace=True)


@pytest.mark.usefixtures("stop_server_process")  # else its threads keep the file of before open
def test_a_restored_database_is_the_same_in_place(alice: User, tmp_path: Path) -> None:
    back_up(tmp_path / "backup", PASSPHRASE)
    bob = User.objects.create_user("bob@example.org")
    restore(tmp_path / "backup", PASSPHRASE, replace=True)
    connections.close_all()
    assert list(User.objects.values_list("email", flat=True)) == [alice.email]
    assert User.objects.create_user("vera@example.org").pk == bob.pk
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM chat_configversion")
        assert cursor.fetchone() == (1,)


def test_a_backup_that_cannot_be_written_leaves_no_file(
    alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CommandError, match="No space left"):
        call_command("backup", str(tmp_path / "backup"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CommandError, match="no folder"):
        call_command("backup", str(tmp_path / "none" / "backup"))
