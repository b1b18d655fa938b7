"""Take the files out of a zip file, to be added one by one. Archives are hostile."""

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

from django.conf import settings

from chat.documents.errors import too_large, unreadable
from chat.errors import ChatError
from chat.indexing.errors import ArchiveTooLarge
from chat.lib import zip_files

#: An empty one begins with the end of its directory.
ZIP_STARTS = (b"PK\x03\x04", zip_files.DIRECTORY_END_MARK)
MAX_FILES = 1000
#: One of these is in a Word, OpenDocument or EPUB file, which is a zip file itself.
DOCUMENT_PARTS = frozenset({"[Content_Types].xml", "mimetype"})
#: What systems add to archives and folders.
IGNORED = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})


class ArchivedFile(NamedTuple):
    """A file of an archive: its path, and its content or why it can't be read."""

    path: str
    content: bytes
    error: ChatError | None = None


def is_archive(name: str, content: bytes) -> bool:
    """Return whether it is a zip file of files, not a document in this format."""
    if not name.lower().endswith(".zip") or not content.startswith(ZIP_STARTS):
        return False
    try:
        with zip_files.open_zip(BytesIO(content)) as archive:
            return DOCUMENT_PARTS.isdisjoint(archive.namelist())
    except (zip_files.ZipTooLarge, *zip_files.DAMAGES):
        return True  # reading it says what is wrong


def files_in(content: bytes) -> Iterator[ArchivedFile]:
    """Yield the files of an archive, without hidden ones.

    Raise `DocumentUnreadable` or `ArchiveTooLarge`, perhaps after some files.
    """
    left = settings.MAX_DOCUMENT_BYTES * zip_files.UNPACKED
    try:
        with zip_files.open_zip(BytesIO(content)) as archive:
            infos = [each for each in archive.infolist() if _is_wanted(each)]
            if len(infos) > MAX_FILES:
                raise ArchiveTooLarge
            top = _common_folder([each.filename for each in infos])
            for info in infos:
                file = _read(archive, info, info.filename[len(top) :])
                left -= len(file.content)
                if left < 0:
                    raise ArchiveTooLarge
                yield file
    except zip_files.ZipTooLarge:
        raise ArchiveTooLarge from None
    except zip_files.DAMAGES:
        raise unreadable("damaged") from None


def _is_wanted(info: ZipInfo) -> bool:
    parts = info.filename.split("/")
    return not info.is_dir() and not any(part in IGNORED or part.startswith(".") for part in parts)


def _common_folder(paths: list[str]) -> str:
    """Return the folder that all files are in, as most archives have one; it says nothing."""
    top = paths[0].partition("/")[0] + "/" if paths else ""
    return top if all(path.startswith(top) for path in paths) else ""


def _read(archive: ZipFile, info: ZipInfo, path: str) -> ArchivedFile:
    if info.flag_bits & 1:
        return ArchivedFile(path, b"", unreadable("encrypted"))
    try:
        with zip_files.open_entry(archive, info, settings.MAX_DOCUMENT_BYTES) as entry:
            return ArchivedFile(path, entry.read_all())
    except zip_files.ZipTooLarge:
        return ArchivedFile(path, b"", too_large())
    except zip_files.DAMAGES:
        return ArchivedFile(path, b"", unreadable("damaged"))
