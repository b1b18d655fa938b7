"""A copy of the release in a folder of its own, which a test may replace or remove.

The libraries are reached through a link in the folder, so they are gone with it, too.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from tests.support.servers.server import ROOT

COPIED = ("chat", "project", "templates")
LINKED = ("build", "static", "node_modules", "package.json")
LIBRARIES = "libraries"


class CopiedRelease:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name in COPIED:
            shutil.copytree(ROOT / name, folder / name)
        shutil.copy2(ROOT / "manage.py", folder)
        for name in LINKED:
            os.symlink(ROOT / name, folder / name)
        os.symlink(sysconfig.get_path("purelib"), folder / LIBRARIES)

    #: Not that of the virtual environment, which would find the libraries without the link.
    python = str(Path(sys.executable).resolve())

    @property
    def environment(self) -> dict[str, str]:
        return {"PYTHONPATH": str(self.folder / LIBRARIES)}

    def take(self, other: "CopiedRelease") -> None:
        """Replace what is installed here by the files of another copy, which loses them."""
        for name in COPIED:
            shutil.rmtree(self.folder / name)
            (other.folder / name).rename(self.folder / name)

    def remove(self) -> None:
        shutil.rmtree(self.folder)
