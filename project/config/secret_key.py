"""The secret key of an installation that was given none: made once, kept private."""

import os
import secrets
from pathlib import Path

from project.config.env import stop


def read_or_make(path: Path) -> str:
    """The key stored at `path`, made first if there is none; readable by its owner only (0600)."""
    try:
        _make(path)
    except FileExistsError:
        pass
    except OSError as error:
        stop("DATA_DIR", f"is not writable ({error.strerror}): {path.parent}")
    if path.stat().st_mode & 0o077:
        stop("SECRET_KEY", f"is kept in {path}, which others can read; run: chmod 600 {path}")
    return path.read_text().strip()


def _make(path: Path) -> None:
    """Written aside and linked into place, so a second process never reads half a key."""
    if path.exists():
        raise FileExistsError
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(50))
    try:
        os.link(aside, path)
    finally:
        aside.unlink()
