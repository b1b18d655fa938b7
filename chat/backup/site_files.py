"""The files of a site outside its database: the secret key, the seals of the audit log, mails."""

import os
import shutil
from pathlib import Path

from django.conf import settings
from django.utils.crypto import salted_hmac

from chat.backup.errors import BackupError
from chat.backup.file_exchange import FileExchange

FOLDER = "files"
SECRET_KEY = "secret_key"  # noqa: S105  (a name)
MAIL = "mail"  # the only folder


def places() -> dict[str, Path]:
    """Return where each file or folder belongs, by its name in a backup."""
    return {
        SECRET_KEY: Path(settings.DATA_DIR) / SECRET_KEY,
        "audit_seals.txt": Path(settings.AUDIT_SEALS_PATH),
        MAIL: Path(settings.EMAIL_FILE_PATH),
    }


def is_known(name: str) -> bool:
    """Return whether a file of a backup, by its name there, is one of a site's files."""
    folder, _, inner = name.partition("/")
    first, is_below, _ = inner.partition("/")
    return folder == FOLDER and first in places() and bool(is_below) == (first == MAIL)


def dump(folder: Path) -> None:
    """Copy what exists to `folder`, but not what is removed meanwhile."""
    (folder / FOLDER).mkdir(mode=0o700)
    for name, place in places().items():
        if place.is_symlink() and not place.exists():  # perhaps to a disk that isn't mounted
            raise BackupError(f"{place} is a link to something that doesn't exist.")
        copy = _copy_folder if name == MAIL else _copy_file
        copy(place, folder / FOLDER / name)


def _copy_folder(place: Path, target: Path) -> None:
    for folder, _folders, names in os.walk(place, onerror=_raise_unless_gone, followlinks=True):
        inner = target / Path(folder).relative_to(place)
        inner.mkdir(mode=0o700)
        for name in names:
            _copy_file(Path(folder) / name, inner / name)


def _raise_unless_gone(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def _copy_file(place: Path, target: Path) -> None:
    try:
        shutil.copyfile(place, target)
    except FileNotFoundError:
        target.unlink(missing_ok=True)


def prepare(folder: Path, files: FileExchange) -> None:
    """Bring the files in `folder` beside their places."""
    for name, place in places().items():
        files.prepare(folder / FOLDER / name, place)


def exchange(files: FileExchange) -> None:
    """Put what was prepared in its places; set aside what was there."""
    for name, place in places().items():
        files.exchange(place, name)


def key_digest(key: str | None = None) -> str:
    """Return a digest of `key`, by default the one in use."""
    secret = settings.SECRET_KEY if key is None else key
    return salted_hmac("chat.backup", "secret key", secret=secret, algorithm="sha256").hexdigest()


def key_after_restore(folder: Path) -> str:
    """Return the key that the site will use with the files in `folder`."""
    own, theirs = places()[SECRET_KEY], folder / FOLDER / SECRET_KEY
    is_in_file = own.exists() and own.read_text().strip() == settings.SECRET_KEY
    return theirs.read_text().strip() if is_in_file and theirs.exists() else settings.SECRET_KEY
