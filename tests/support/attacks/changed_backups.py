"""Change backups, and restore them."""

import hashlib
import io
import resource
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command

from chat.backup import archive
from chat.backup.create import back_up
from chat.backup.manifest import Part, decode, encode

Contents = dict[str, bytes]


def files(folder: Path) -> dict[str, bytes]:
    found = [*folder.rglob("*"), *Path(site.DATA_DIR).rglob("*")]
    return {
        str(path): path.read_bytes()
        for path in found
        if path.is_file() and ".sqlite3" not in path.name
    }


def contents_of(backup: Path) -> Contents:
    with tarfile.open(backup) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]


def made(tmp_path: Path) -> Contents:
    back_up(tmp_path / "good", None)
    return contents_of(tmp_path / "good")


def described(contents: Contents, **facts: object) -> Contents:
    """Return the contents with a manifest that describes them as they are."""
    manifest = decode(contents[archive.MANIFEST])
    parts = [
        Part(name, len(data), hashlib.sha256(data).hexdigest())
        for name, data in contents.items()
        if name != archive.MANIFEST
    ]
    changed = msgspec.structs.replace(manifest, parts=parts)
    if facts:
        database = msgspec.structs.replace(changed.database, **facts)
        changed = msgspec.structs.replace(changed, database=database)
    return {**contents, archive.MANIFEST: encode(changed)}


def packed(path: Path, contents: Contents, *more: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
        for member, data in more:
            tar.addfile(member, io.BytesIO(data))
    return path


def refusal(backup: Path, replace: bool = True) -> str:
    """Return in which words it is refused; anything but a refusal fails."""
    with pytest.raises(CommandError) as caught:
        call_command("restore", str(backup), *(["--replace"] if replace else []))
    assert "Nothing was changed" in str(caught.value)
    return str(caught.value)


def sparse(name: str, claimed: int) -> tuple[tarfile.TarInfo, bytes]:
    """Return a member of a few bytes that expands to `claimed` zeros."""
    member = tarfile.TarInfo(name)
    member.pax_headers = {
        "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.size": str(claimed), "GNU.sparse.numblocks": "1",
        "GNU.sparse.map": f"{claimed},0", "GNU.sparse.name": name,
    }  # fmt: skip
    return member, b""


def pax(name: str, **headers: str) -> tuple[tarfile.TarInfo, bytes]:
    member = tarfile.TarInfo(name)
    member.pax_headers = {key.replace("__", "."): text for key, text in headers.items()}
    return member, b""


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """Let writing fail where a file would grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
