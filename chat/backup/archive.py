"""Write the parts of a backup into one tar archive, and read them back, verified."""

import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO

from django.conf import settings

from chat.backup.encrypted_file import DecryptingReader, EncryptingWriter, is_encrypted
from chat.backup.errors import BackupError, file_error
from chat.backup.manifest import MAX_BYTES, Manifest, Part, decode, encode
from chat.lib.staging_folders import is_in_use, take_lock

MANIFEST = "manifest.json"
BLOCK_BYTES = 1024 * 1024
UNFINISHED = ".runnel-unfinished"
#: What `tarfile` raises for damaged headers, also for endless ones and for numbers that are none.
DAMAGES = (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError)


def parts_in(folder: Path) -> list[Part]:
    """Return all files below `folder`."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [Part(_name(each, folder), *_size_and_digest(each)) for each in files]


def _name(path: Path, folder: Path) -> str:
    name = str(path.relative_to(folder))
    if any("\udc80" <= each <= "\udcff" for each in name):  # bytes that are no text
        raise BackupError(f"{name!r} is no name in UTF-8. Rename that file.")
    return name


def _size_and_digest(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


def require_new(target: Path) -> None:
    """Raise `BackupError` if the file exists, and may be the only backup, or would be public."""
    if target.exists():
        raise BackupError(f"{target} exists already. Choose another name, or remove it.")
    if not target.parent.is_dir():
        raise BackupError(f"There is no folder {target.parent}.")
    if target.parent.resolve().is_relative_to(Path(settings.STATIC_ROOT).resolve()):
        raise BackupError(
            f"Everybody can read {target.parent}: it has static files. Choose another."
        )


def write(target: Path, folder: Path, manifest: Manifest, passphrase: str | None) -> None:
    """Write `manifest` and its parts, which are in `folder`, to the new file `target`.

    It has another name until it is complete. Raise `BackupError` if it can't be written.
    """
    unfinished = target.with_name(target.name + UNFINISHED)
    require_new(target)
    _remove_abandoned(target.parent)
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        take_lock(descriptor)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o600)
            with _encrypting(file, passphrase) as output:
                _write_tar(output, folder, manifest)
            file.flush()
            os.fsync(descriptor)
        unfinished.rename(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise BackupError(f"{target} can't be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _remove_abandoned(folder: Path) -> None:
    """Remove what killed backups have left there."""
    for path in folder.glob(f"*{UNFINISHED}"):
        if not is_in_use(path):
            with suppress(OSError):
                path.unlink()


@contextmanager
def _encrypting(file: BinaryIO, passphrase: str | None) -> Iterator[BinaryIO]:
    if passphrase is None:
        yield file
        return
    writer = EncryptingWriter(file, passphrase)
    yield writer  # type: ignore[misc]
    writer.finish()


def _write_tar(output: BinaryIO, folder: Path, manifest: Manifest) -> None:
    with tarfile.open(fileobj=output, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        text = encode(manifest)
        tar.addfile(_member(MANIFEST, len(text)), io.BytesIO(text))
        for part in manifest.parts:
            with (folder / part.name).open("rb") as file:
                tar.addfile(_member(part.name, part.bytes), file)


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(source: Path, folder: Path, passphrase: str) -> Manifest:
    """Extract the parts of `source` into the empty `folder`, and return the manifest.

    Raise `BackupError` if anything is missing, altered or not in the manifest.
    """
    try:
        with source.open("rb") as file:
            stream = (
                io.BufferedReader(DecryptingReader(file, passphrase), BLOCK_BYTES)
                if is_encrypted(file)
                else file
            )
            with tarfile.open(fileobj=stream, mode="r|") as tar:
                manifest = _extract(tar, folder)
            while stream.read(BLOCK_BYTES):  # the end of an encrypted file is verified, too
                pass
            return manifest
    except DAMAGES:
        raise BackupError(f"{source} is damaged, or no backup of Runnel.") from None
    except OSError as error:
        raise file_error(error, source) from error


def _extract(tar: tarfile.TarFile, folder: Path) -> Manifest:
    manifest: Manifest | None = None
    missing: dict[str, Part] = {}
    for member in tar:
        content = tar.extractfile(member)
        if manifest is None:
            if member.name != MANIFEST or content is None or member.size > MAX_BYTES:
                raise tarfile.ReadError
            manifest = decode(content.read())
            missing = {each.name: each for each in manifest.parts}
            continue
        part = missing.pop(member.name, None)
        if part is None or content is None or not _is_safe(member):
            raise BackupError(f"The backup contains a file that it should not: {member.name!r}")
        if member.size != part.bytes:
            raise BackupError(f"The backup is damaged: {part.name} is not as it was.")
        _extract_part(content, part, folder / part.name)
    if manifest is None:
        raise tarfile.ReadError
    if missing:
        raise BackupError(f"The backup is not complete: {min(missing)} is missing.")
    return manifest


def _is_safe(member: tarfile.TarInfo) -> bool:
    """Return whether it stays in its folder, and is as large as what the archive has of it."""
    path = Path(member.name)
    is_inside = not path.is_absolute() and ".." not in path.parts
    return is_inside and member.isreg() and not member.issparse()


def _extract_part(content: IO[bytes], part: Part, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest, size = hashlib.sha256(), 0
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while block := content.read(BLOCK_BYTES):
            file.write(block)
            digest.update(block)
            size += len(block)
    if (size, digest.hexdigest()) != (part.bytes, part.sha256):
        raise BackupError(f"The backup is damaged: {part.name} is not as it was.")
