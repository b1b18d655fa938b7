"""The manifest of a backup: what it contains, and of which version."""

from datetime import datetime

import msgspec
from msgspec import Struct, field

from chat.backup.errors import BackupError

FORMAT = 1
MAX_BYTES = 16 * 1024 * 1024


class Part(Struct, frozen=True):
    """A file in the archive."""

    name: str
    bytes: int
    sha256: str


class DatabaseFacts(Struct, frozen=True):
    """What was copied of a database, besides its parts.

    `migrations` are the applied ones by app, `rows` counts each table's. Of PostgreSQL there are
    the columns of each table, in the order of the copy, and each sequence's last value and whether
    it was used.
    """

    kind: str
    version: str
    migrations: dict[str, list[str]]
    rows: dict[str, int]
    columns: dict[str, list[str]] = field(default_factory=dict)
    sequences: dict[str, tuple[int, bool]] = field(default_factory=dict)


class Manifest(Struct, frozen=True):
    """The first file of an archive. `secret_key_digest` tells keys apart without revealing one."""

    version: str
    made_at: datetime
    site_url: str
    secret_key_digest: str
    database: DatabaseFacts
    parts: list[Part]
    format: int = FORMAT

    @property
    def total_rows(self) -> int:
        return sum(self.database.rows.values())


def encode(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


def decode(text: bytes) -> Manifest:
    """Return the manifest. Raise `BackupError` if it is none, or of a later format."""
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
    except msgspec.DecodeError:
        raise BackupError("This is no backup of Runnel: its manifest can't be read.") from None
    if manifest.format > FORMAT:
        raise BackupError(
            f"This backup was made by a newer version ({manifest.version}). Install that version."
        )
    return manifest
