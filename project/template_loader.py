"""Keep the sources of templates in memory.

A server process reads all templates before it is ready (project/preload.py) and compiles each of
them from memory when it is first rendered. So it never mixes the templates of two versions.
"""

from pathlib import Path

from django.template import Origin, TemplateDoesNotExist
from django.template.loaders import app_directories, filesystem


class KeepingLoader(filesystem.Loader):
    """Django's filesystem loader. After `keep_all`, it reads no more files."""

    _kept: dict[str, str] | None = None

    def keep_all(self) -> dict[str, str]:
        """Read all templates; return their contents by path."""
        paths = [path for each in self.get_dirs() for path in Path(each).rglob("*.*")]
        texts = {str(path): path.read_text(encoding="utf-8") for path in paths if path.is_file()}
        self._kept = texts
        return texts

    def get_contents(self, origin: Origin) -> str:
        if self._kept is None:
            contents: str = super().get_contents(origin)
            return contents
        try:
            return self._kept[str(origin.name)]
        except KeyError:
            raise TemplateDoesNotExist(origin) from None


class AppLoader(KeepingLoader, app_directories.Loader):
    """Loads the templates of installed apps."""
