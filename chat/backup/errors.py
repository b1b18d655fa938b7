"""The errors of backups and restores."""

import errno

from django.conf import settings

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class BackupError(Exception):
    """What went wrong, and what to do, in words for the operator. Nothing has been changed."""


class UnfinishedRestore(BackupError):
    """Something has been changed; the words say what."""


def file_error(error: OSError, place: object = None) -> BackupError:
    """Return the error for one of files; `place` is named if the error names none.

    Disks that are full are those of the copies in DATA_DIR.
    """
    path = error.filename or place or settings.DATA_DIR
    path = settings.DATA_DIR if error.errno in FULL else path
    return BackupError(f"{path} can't be used: {error.strerror or error}.")
