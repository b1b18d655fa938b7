"""Remember the files that this process has created by reading its settings.

A command that ends without doing anything takes them back.
"""

from contextlib import suppress
from pathlib import Path

_made: list[Path] = []


def note(path: Path) -> None:
    """Note a file or folder that was just created."""
    _made.append(path)


def is_new(path: Path) -> bool:
    return path in _made


def forget() -> None:
    """Keep what was created: this process goes on to use it."""
    _made.clear()


def remove() -> None:
    """Remove them again, as far as nothing else is in them."""
    while _made:
        path = _made.pop()
        with suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()
