"""Read zip files of which nothing is trusted, not even their sizes."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

#: A zip file may expand to at most this many times the largest size of the file itself.
UNPACKED = 8
MAX_DIRECTORY_BYTES = 4 * 1024 * 1024  # about twenty thousand names
MAX_COMMENT_BYTES = 0xFFFF
DIRECTORY_END = struct.Struct("<4sHHHHLLH")
DIRECTORY_END_MARK, LOCATOR_MARK = b"PK\5\6", b"PK\6\7"
LOCATOR_BYTES = 20
#: Exceptions that Python raises for invalid or damaged zip files.
DAMAGES = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error)


class ZipTooLarge(Exception):
    """The file has too many names, or an entry is larger than allowed."""


@contextmanager
def open_zip(file: IO[bytes]) -> Iterator[ZipFile]:
    """Open a zip file, or raise one of `DAMAGES` or `ZipTooLarge`."""
    _require_small_directory(file)
    with ZipFile(file) as archive:
        yield archive


@contextmanager
def open_entry(archive: ZipFile, info: ZipInfo, most_bytes: int) -> Iterator["Entry"]:
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise BadZipFile
    with archive.open(info) as file:
        yield Entry(file, most_bytes)


class Entry:
    """A file of which at most `most_bytes` are read, whatever its header claims."""

    def __init__(self, file: IO[bytes], most_bytes: int) -> None:
        self._file, self._most_bytes = file, most_bytes
        self.read_bytes = 0

    def read(self, size: int) -> bytes:
        read = self._file.read(size)
        self.read_bytes += len(read)
        if self.read_bytes > self._most_bytes:
            raise ZipTooLarge
        return read

    def read_all(self) -> bytes:
        return self.read(self._most_bytes + 1)


def _require_small_directory(file: IO[bytes]) -> None:
    """Refuse a file with too many names, which Python would all read at once.

    Their size is at the end of the file, before a comment, where Python looks for it, too. Files
    that exceed the format's usual limits have another directory.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - DIRECTORY_END.size - LOCATOR_BYTES - MAX_COMMENT_BYTES))
    tail = file.read()
    start = _directory_end(tail)
    if start < 0 or len(tail) < start + DIRECTORY_END.size:
        raise BadZipFile
    directory_bytes = DIRECTORY_END.unpack_from(tail, start)[5]
    locator = tail[max(0, start - LOCATOR_BYTES) : start]
    if locator.startswith(LOCATOR_MARK) or directory_bytes > MAX_DIRECTORY_BYTES:
        raise ZipTooLarge
    file.seek(0)


def _directory_end(tail: bytes) -> int:
    """Return where the record begins, -1 if there is none."""
    last = tail[-DIRECTORY_END.size :]
    if last.startswith(DIRECTORY_END_MARK) and last.endswith(b"\0\0"):
        return len(tail) - DIRECTORY_END.size
    return tail.rfind(DIRECTORY_END_MARK)
