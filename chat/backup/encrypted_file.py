"""Encrypt a file with a passphrase while it is written, and decrypt it while it is read.

The key comes from the passphrase by scrypt. The text is encrypted in chunks by AES-256-GCM, each
with a nonce of a random prefix, its number, and whether it is the last (the STREAM construction),
so that chunks can't be changed, moved, removed or cut off. The header is authenticated with each.
"""

import io
import os
import struct
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from chat.backup.errors import BackupError

MAGIC = b"runnel encrypted backup 1\n"
CHUNK_BYTES = 1024 * 1024
TAG_BYTES = 16
KEY_BYTES = 32
MIN_PASSPHRASE_CHARACTERS = 12
#: scrypt's cost: 2^17 × 8 × 128 bytes of memory, as OWASP recommends.
LOG_N, R, P = 17, 8, 1
#: An altered header must not make us take all memory. The other two costs are always the same.
MAX_LOG_N = 20
SALT_BYTES, PREFIX_BYTES = 16, 7
HEADER = struct.Struct(f"{len(MAGIC)}sBBB{SALT_BYTES}s{PREFIX_BYTES}s")


class _Cipher:
    """The key of one file, and the number of its next chunk."""

    def __init__(self, header: bytes, passphrase: str) -> None:
        _, log_n, r, p, salt, self._prefix = HEADER.unpack(header)
        derivation = Scrypt(salt=salt, length=KEY_BYTES, n=1 << log_n, r=r, p=p)
        self._aes = AESGCM(derivation.derive(passphrase.encode()))
        self._header, self._number = header, 0

    def encrypt(self, chunk: bytes, is_last: bool) -> bytes:
        text: bytes = self._aes.encrypt(self._nonce(is_last), chunk, self._header)
        return text

    def decrypt(self, chunk: bytes, is_last: bool) -> bytes:
        text: bytes = self._aes.decrypt(self._nonce(is_last), chunk, self._header)
        return text

    def _nonce(self, is_last: bool) -> bytes:
        number = self._number
        self._number += 1
        return bytes(self._prefix) + struct.pack(">I?", number, is_last)


class EncryptingWriter(io.RawIOBase):
    """Write to `file`, encrypted. Without `close` the file is incomplete. `file` stays open."""

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        salt, prefix = os.urandom(SALT_BYTES), os.urandom(PREFIX_BYTES)
        header = HEADER.pack(MAGIC, LOG_N, R, P, salt, prefix)
        self._file, self._held = file, bytearray()
        self._cipher = _Cipher(header, require_passphrase(passphrase))
        self._file.write(header)

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._held += data
        while len(self._held) > CHUNK_BYTES:
            self._file.write(self._cipher.encrypt(bytes(self._held[:CHUNK_BYTES]), is_last=False))
            del self._held[:CHUNK_BYTES]
        return len(data)

    def finish(self) -> None:
        """Write the last chunk."""
        self._file.write(self._cipher.encrypt(bytes(self._held), is_last=True))


class DecryptingReader(io.RawIOBase):
    """Read `file` decrypted. Raise `BackupError` for a wrong passphrase or an altered file."""

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        header = file.read(HEADER.size)
        if len(header) < HEADER.size:
            raise BackupError("The backup is damaged: its header is not complete.")
        _magic, log_n, r, p, _salt, _prefix = HEADER.unpack(header)
        if not 10 <= log_n <= MAX_LOG_N or (r, p) != (R, P):
            raise BackupError("The backup is damaged: its header is not valid.")
        self._cipher = _Cipher(header, require_passphrase(passphrase))
        self._file, self._is_first = file, True
        self._next: bytes | None = file.read(CHUNK_BYTES + TAG_BYTES)
        self._text = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._text and self._next is not None:
            self._text = memoryview(self._decrypted())
        count = min(len(buffer), len(self._text))
        buffer[:count] = self._text[:count]
        self._text = self._text[count:]
        return count

    def _decrypted(self) -> bytes:
        chunk, following = self._next or b"", self._file.read(CHUNK_BYTES + TAG_BYTES)
        try:
            text = self._cipher.decrypt(chunk, is_last=not following)
        except InvalidTag:
            words = "The passphrase is wrong, or the backup is damaged."
            raise BackupError(words if self._is_first else "The backup is damaged.") from None
        self._is_first, self._next = False, following or None
        return text


def require_passphrase(passphrase: str) -> str:
    """Return it. Raise `BackupError` if it is missing or too short to resist guessing."""
    if len(passphrase) < MIN_PASSPHRASE_CHARACTERS:
        problem = "is too short" if passphrase else "is not set"
        raise BackupError(
            f"BACKUP_PASSPHRASE {problem}. Set it, or BACKUP_PASSPHRASE_FILE, to at least"
            f" {MIN_PASSPHRASE_CHARACTERS} characters."
        )
    return passphrase


def is_encrypted(file: BinaryIO) -> bool:
    """Return whether `file`, at its start, is encrypted; it is at its start afterwards."""
    beginning = file.read(len(MAGIC))
    file.seek(0)
    return beginning == MAGIC
