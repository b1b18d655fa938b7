"""Exchange files and folders for others by renaming them, so that an error changes nothing."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from chat.backup.errors import UnfinishedRestore

READY = ".runnel-restored"


@dataclass(slots=True)
class FileExchange:
    """What is replaced goes to the folder `aside`, or stays beside its place on another disk."""

    aside: Path
    kept: list[Path] = field(default_factory=list)
    _prepared: list[Path] = field(default_factory=list)
    _renamed: list[tuple[Path, Path]] = field(default_factory=list)

    def prepare(self, new: Path, place: Path) -> None:
        """Move a new file or folder beside its place, if it exists.

        What needs disk space and permissions happens here, before anything is replaced.
        """
        if not new.exists():
            return
        ready = _ready(place)
        ready.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _remove(ready)  # a killed restore has left it
        self._prepared.append(ready)
        shutil.move(new, ready)

    def exchange(self, place: Path, name: str) -> None:
        """Set aside what is at `place`, as `name`, and put there what was prepared for it."""
        place = place.resolve()  # a link stays
        if os.path.lexists(place):
            self._set_aside(place, name)
        if _ready(place) in self._prepared:
            self._rename(_ready(place), place)

    def _set_aside(self, place: Path, name: str) -> None:
        self.aside.mkdir(exist_ok=True, mode=0o700)
        try:
            self._rename(place, self.aside / name)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            beside = place.with_name(f"{place.name}.{self.aside.name}")
            self._rename(place, beside)
            self.kept.append(beside)

    def _rename(self, source: Path, target: Path) -> None:
        source.rename(target)
        self._renamed.append((source, target))

    def undo(self) -> None:
        """Put everything back. Raise `OSError` if something can't be."""
        while self._renamed:
            source, target = self._renamed[-1]
            target.rename(source)
            self._renamed.pop()
        for each in self._prepared:
            _remove(each)
        if self.aside.exists():
            self.aside.rmdir()

    def finish(self, disposable: set[str]) -> list[Path]:
        """Return where replaced files are kept, without those of these names in `aside`."""
        with suppress(OSError):  # then they are kept, too
            for name in disposable:
                (self.aside / name).unlink(missing_ok=True)
        if self.aside.exists():
            if any(self.aside.iterdir()):
                return [self.aside, *self.kept]
            self.aside.rmdir()
        return self.kept


@contextmanager
def undone_on_error(aside: Path) -> Iterator[FileExchange]:
    """Undo the exchanges of the block if it fails. Raise `UnfinishedRestore` if that fails, too."""
    files = FileExchange(aside)
    try:
        yield files
    except BaseException as error:
        try:
            files.undo()
        except OSError as second:
            raise UnfinishedRestore(
                f"The restore failed ({error}), and {second.filename} can't be put back:"
                f" {second.strerror}. Don't start the site. Move what is in {aside} back to its"
                " places, or restore again with --replace."
            ) from error
        raise


def _ready(place: Path) -> Path:
    place = place.resolve()
    return place.with_name(place.name + READY)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
