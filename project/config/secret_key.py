"""Create a secret key once for an installation that has none configured."""

import os
import secrets
from pathlib import Path

from chat.lib import new_files
from project.config.env import require_file, stop

LOST = "put back the file of a backup, or remove it, which signs out all and makes a new key"


def read_or_make(path: Path) -> str:
    """Return the key stored at `path`, created if needed; readable by its owner only (0600)."""
    require_file("SECRET_KEY", path)
    try:
        _make(path)
    except FileExistsError:
        pass
    except OSError as error:
        stop("DATA_DIR", f"isn't writable ({error.strerror}): {path.parent}")
    try:
        is_open, key = bool(path.stat().st_mode & 0o077), path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text"
        stop("SECRET_KEY", f"is kept in {path}, which can't be read ({reason}); {LOST}")
    if is_open:
        stop("SECRET_KEY", f"is kept in {path}, which others can read; run: chmod 600 {path}")
    if not key:
        stop("SECRET_KEY", f"is kept in {path}, which is empty; {LOST}")
    return key


def _make(path: Path) -> None:
    """Write the key to another file and link it, so that no process reads half a key."""
    if path.exists():
        raise FileExistsError
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(50))
    try:
        os.link(aside, path)
        new_files.note(path)
    finally:
        aside.unlink()
