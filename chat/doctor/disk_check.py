"""Check the space for data, and who may read it."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import connection

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.lib import disk
from chat.lib.staging_folders import abandoned_folders
from chat.site_status.backup_and_seals import BACKUP_MARK

DISK = "Disk"
FILES = "Data files"
COMFORTABLE_BYTES = 1024**3
MB = 1024**2
#: Below DATA_DIR, what anybody may read.
STATIC = "static"
#: Scripts of the operator touch this one, too. It has no contents.
MARKS = frozenset({BACKUP_MARK})
SHOWN = 3


def check_disk(_options: DoctorOptions) -> Iterator[CheckResult]:
    for folder in sorted(_data_folders()):
        free = disk.free_bytes(folder)
        message = f"{free // MB:,} MB are free for {folder}."
        facts = {"folder": str(folder), "free_bytes": free}
        if free < settings.MIN_FREE_BYTES:
            advice = "Free space. Below MIN_FREE_BYTES, the site takes no new questions."
            yield CheckResult(DISK, "problem", message, advice, facts)
        elif free < COMFORTABLE_BYTES:
            yield CheckResult(DISK, "warning", message, "Free space, or move DATA_DIR.", facts)
        else:
            yield CheckResult(DISK, "ok", message, facts=facts)
    if left := abandoned_folders():
        message = f"Killed backups or restores left copies of the database: {_some(left)}"
        advice = "Run manage.py prune, which removes them, as the running site does each minute."
        yield CheckResult(DISK, "warning", message, advice, {"abandoned": len(left)})


def _data_folders() -> set[Path]:
    folders = {Path(settings.DATA_DIR)}
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).parent)
    return folders


def check_data_files(_options: DoctorOptions) -> Iterator[CheckResult]:
    """Check owners and permissions in DATA_DIR."""
    folder = Path(settings.DATA_DIR)
    owner = folder.stat().st_uid
    if not os.access(folder, os.W_OK | os.X_OK):
        yield CheckResult(
            FILES, "problem", f"{folder} isn't writable.", f"Run: chmod u+rwx {folder}"
        )
        return
    if owner != os.geteuid():
        message = f"{folder} belongs to user {owner}, but this command runs as {os.geteuid()}."
        advice = "Run commands as the user that runs the site, or its files change their owner."
        yield CheckResult(FILES, "problem", message, advice)
    files = list(_private_files(folder))
    foreign = [path for path, facts in files if facts.st_uid != owner]
    is_open = [
        path
        for path, facts in files
        if facts.st_mode & 0o077 and path.name not in MARKS and _is_reachable(path, folder)
    ]
    if foreign:
        message = f"{len(foreign)} files belong to other users: {_some(foreign)}"
        yield CheckResult(FILES, "problem", message, f"Run as root: chown -R {owner} {folder}")
    if is_open:
        message = f"Other users can read {len(is_open)} files: {_some(is_open)}"
        yield CheckResult(FILES, "problem", message, f"Run: chmod -R go-rwx {folder}")
    elif not foreign:
        message = f"Only the site's user can read the data in {folder}."
        yield CheckResult(FILES, "ok", message, facts={"files": len(files)})


def _private_files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield files with their facts. Sockets and links have no contents, static files no secrets."""
    for root, folders, files in os.walk(folder):
        public = {folder / STATIC, Path(settings.STATIC_ROOT)}
        folders[:] = [each for each in folders if Path(root) / each not in public]
        for name in files:
            with suppress(FileNotFoundError):  # SQLite and mails come and go
                facts = (Path(root) / name).lstat()
                if stat.S_ISREG(facts.st_mode):
                    yield Path(root) / name, facts


def _is_reachable(path: Path, folder: Path) -> bool:
    """Return True if others may pass all folders from `folder` to the file."""
    above = [each for each in path.parents if each.is_relative_to(folder)]
    return all(each.stat().st_mode & 0o011 for each in above)


def _some(paths: list[Path]) -> str:
    more = ", …" if len(paths) > SHOWN else ""
    return ", ".join(str(each) for each in paths[:SHOWN]) + more
