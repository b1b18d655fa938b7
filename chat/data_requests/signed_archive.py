"""Write and verify zip files with a signed list of their files.

`manifest.json` comes last, because the digests of the other files are known only when they have
been written. `manifest.sig` is its signature.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import msgspec

from chat.data_requests import signing
from chat.import_export.collection_files import ArchiveFile
from chat.import_export.export_archive import zipped
from chat.import_export.file_format import FORMAT, VERSION
from chat.lib.zip_files import DAMAGES

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
PIECE_BYTES = 1024 * 1024


class InvalidArchive(Exception):
    """The archive is not what this site has signed."""


class _Digest:
    """The digest of a file, whose pieces it sees as they pass."""

    def __init__(self, name: str) -> None:
        self._name, self._size = name, 0
        self._sha256 = hashlib.sha256()

    def passing(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._sha256.update(piece)
            self._size += len(piece)
            yield piece

    def facts(self) -> dict[str, Any]:
        return {"name": self._name, "bytes": self._size, "sha256": self._sha256.hexdigest()}


def signed_archive(about: dict[str, Any], files: Iterator[ArchiveFile]) -> Iterator[bytes]:
    """Yield a zip file of the files in pieces, with a signed manifest that says `about` what."""
    return zipped(_with_manifest(about, files))


def _with_manifest(about: dict[str, Any], files: Iterator[ArchiveFile]) -> Iterator[ArchiveFile]:
    digests: list[_Digest] = []
    for name, updated_at, pieces in files:
        digests.append(_Digest(name))
        yield name, updated_at, digests[-1].passing(pieces)
    now = datetime.now(UTC)
    head = {"format": FORMAT, "version": VERSION, "kind": "manifest", "created_at": now}
    facts = head | about | {"files": [each.facts() for each in digests]}
    manifest = msgspec.json.format(msgspec.json.encode(facts)) + b"\n"
    yield MANIFEST, now, iter([manifest])
    yield SIGNATURE, now, iter([signing.sign(manifest)])


def verified(path: Path) -> dict[str, Any]:
    """Return the manifest of an archive. Raise `InvalidArchive`, which says what is wrong."""
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
            if MANIFEST not in names or SIGNATURE not in names:
                raise InvalidArchive("it has no signed manifest")
            manifest = archive.read(MANIFEST)
            if not signing.is_authentic(manifest, archive.read(SIGNATURE)):
                raise InvalidArchive(
                    "its manifest isn't signed by this site, or not with its present key"
                )
            facts: dict[str, Any] = msgspec.json.decode(manifest)
            _compare(archive, names, facts["files"])
    except (BadZipFile, *DAMAGES) as damage:
        raise InvalidArchive(f"it is damaged: {damage}") from None
    return facts


def _compare(archive: ZipFile, names: list[str], listed: list[dict[str, Any]]) -> None:
    expected = [each["name"] for each in listed]
    for name in expected:
        if name not in names:
            raise InvalidArchive(f"{name} is missing")
    if sorted(names) != sorted([*expected, MANIFEST, SIGNATURE]):
        raise InvalidArchive("it has files that aren't in its manifest")
    for each in listed:
        if _sha256(archive, each["name"]) != each["sha256"]:
            raise InvalidArchive(f"{each['name']} has been changed")


def _sha256(archive: ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as entry:
        while piece := entry.read(PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()
