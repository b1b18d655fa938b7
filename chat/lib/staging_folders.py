"""Folders in DATA_DIR for files that are being made or read, such as copies of the database.

A process holds a lock on its folder, which the system releases if the process is killed. Then the
folder, perhaps with a copy of all chats, is removed by the next one that looks: a backup, a
restore, the running site each minute, or `manage.py prune`.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

PREFIX = "unfinished-"
#: Where the file system has no such locks, a folder this old is taken for abandoned.
OLD_SECONDS = 24 * 3600.0


@contextmanager
def staging_folder() -> Iterator[Path]:
    """Yield a folder beside the data, which is removed afterwards."""
    remove_abandoned()
    folder, lock = _made()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _made() -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=settings.DATA_DIR))
        lock = os.open(folder, os.O_RDONLY)
        take_lock(lock)
        if folder.exists():  # another process may have taken it for abandoned before
            return folder, lock
        os.close(lock)


def take_lock(descriptor: int) -> None:
    """Mark a file or folder as in use until it is closed."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return  # `is_in_use` goes by its age


def is_in_use(path: Path) -> bool:
    """Return whether a process holds the lock on this file or folder."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return True  # it is gone, or somebody else's
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return time.time() - path.stat().st_mtime < OLD_SECONDS
    finally:
        os.close(descriptor)
    return False


def abandoned_folders() -> list[Path]:
    """Return the folders whose process is gone."""
    folders = Path(settings.DATA_DIR).glob(f"{PREFIX}*")
    return sorted(each for each in folders if each.is_dir() and not is_in_use(each))


def remove_abandoned() -> int:
    """Remove these folders; return how many."""
    folders = abandoned_folders()
    for each in folders:
        shutil.rmtree(each, ignore_errors=True)
    return len(folders)
