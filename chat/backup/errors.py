"""The error of backups and restores."""


class BackupError(Exception):
    """What went wrong, and what to do, in words for the operator. Nothing has been changed."""
