"""A mutant: one small change to one file."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """Replace the bytes from `start` to `end` by `replacement`."""

    operator: str
    start: int
    end: int
    replacement: str


@dataclass(frozen=True)
class Mutant:
    """An edit of a file, with what is needed to find its tests and to talk about it.

    `lines` are the first and last line that run if the change has an effect. It is None for code
    that runs when the module is imported, and for scripts.
    """

    path: str
    edit: Edit
    scope: str
    lines: tuple[int, int] | None
    source: bytes

    @cached_property
    def line(self) -> int:
        return self.source.count(b"\n", 0, self.edit.start) + 1

    @cached_property
    def changed(self) -> bytes:
        edit = self.edit
        return self.source[: edit.start] + edit.replacement.encode() + self.source[edit.end :]

    @cached_property
    def before(self) -> str:
        """Return the lines that the change touches, as one line."""
        return _one_line(self._touched(self.source, self.edit.end))

    @cached_property
    def after(self) -> str:
        end = self.edit.start + len(self.edit.replacement.encode())
        return _one_line(self._touched(self.changed, end))

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what identifies the mutant as long as its own lines do not change."""
        return self.path, self.scope, self.before, self.after

    def __str__(self) -> str:
        place = (
            f"{self.path}:{self.line} in {self.scope}" if self.scope else f"{self.path}:{self.line}"
        )
        return f"{place} ({self.edit.operator})\n    - {self.before}\n    + {self.after}"

    def _touched(self, text: bytes, end: int) -> str:
        first = text.rfind(b"\n", 0, self.edit.start) + 1
        last = text.find(b"\n", end)
        return text[first : last if last >= 0 else len(text)].decode()


def apply(mutant: Mutant, root: Path) -> None:
    """Change the file below `root`."""
    _write(root / mutant.path, mutant.changed)


def restore(mutant: Mutant, root: Path) -> None:
    _write(root / mutant.path, mutant.source)


def _write(file: Path, text: bytes) -> None:
    """Write the file, and delete what Python has compiled of it.

    Python compares seconds and sizes, which a change within a second may leave as they are.
    """
    file.write_bytes(text)
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()


def _one_line(text: str) -> str:
    return " ".join(text.split())
