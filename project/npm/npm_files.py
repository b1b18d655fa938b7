"""Find the files of npm packages that the browser may load (npm_packages.py)."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.checks import CheckMessage, Error
from django.core.files.storage import FileSystemStorage

from project.npm.npm_packages import FOLDERS

ROOT = Path(settings.BASE_DIR) / "node_modules"


class NpmStorage(FileSystemStorage):
    """The files of one folder. `collectstatic` copies them below `prefix`."""

    def __init__(self, prefix: str) -> None:
        super().__init__(location=ROOT / FOLDERS[prefix][0])
        self.prefix = prefix


class NpmFinder(BaseFinder):
    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storages = {address: NpmStorage(address) for address in FOLDERS}
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        missing = [path for path in _paths() if not path.is_file()]
        if not missing:
            return []
        name = missing[0].relative_to(ROOT.parent)
        return [
            Error(
                f"{len(missing)} files of npm packages are missing, for example {name}.",
                hint="Run `make setup` or `npm ci --omit=dev` to install them.",
                id="runnel.E001",
            )
        ]

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        address, _, name = path.rpartition("/")
        folder, names = FOLDERS.get(address, ("", ()))
        file = ROOT / folder / name
        found = str(file) if name in names and file.is_file() else None
        if find_all:
            return [found] if found else []
        return found or []

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        for address, (_, names) in FOLDERS.items():
            for name in names:
                if not matches_patterns(name, list(ignore_patterns or ())):
                    yield name, self.storages[address]


def _paths() -> Iterator[Path]:
    for folder, names in FOLDERS.values():
        for name in names:
            yield ROOT / folder / name
