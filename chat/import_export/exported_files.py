"""The files beside the chats in a ZIP file, by the identifiers that the chats have for them.

ChatGPT calls them `file-<letters>-<name>`, `file_<digits>.dat` and the like, in any folder.
"""

import re
from zipfile import ZipFile, ZipInfo

from chat.lib import zip_files

FILE_ID = re.compile(r"file[-_][0-9A-Za-z]{16,64}")
#: Files of chats and collections in our own archive of all data.
OWN_FILE = re.compile(r"files/[0-9a-f]{32} |collections/[0-9]{3,6} [^/]{1,100}/[0-9]{5} ")


def is_attached(name: str) -> bool:
    """Return whether a file in a ZIP file belongs to a chat or a collection.

    It may be JSON, but it is no export.
    """
    return bool(FILE_ID.match(_base_name(name)) or OWN_FILE.match(name))


class ExportedFiles:
    """The files in an open ZIP file. None is ever written anywhere by its name."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._entries: dict[str, ZipInfo] = {}
        for info in archive.infolist():
            if match := FILE_ID.match(_base_name(info.filename)):
                self._entries.setdefault(match[0], info)

    def read(self, file_id: str, most_bytes: int) -> bytes | None:
        """Return a file's content; None if there is no such file.

        Raise `ZipTooLarge` if it is longer, or one of `DAMAGES`.
        """
        info = self._entries.get(file_id)
        if info is None:
            return None
        if info.file_size > most_bytes:
            raise zip_files.ZipTooLarge
        with zip_files.open_entry(self._archive, info, most_bytes) as entry:
            return entry.read_all()


def _base_name(path: str) -> str:
    return path.rpartition("/")[2]
