"""Find a Chromium: the system's, or the one from an npm package."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Chromium(NamedTuple):
    path: str
    environment: dict[str, str]


def find_chromium() -> Chromium:
    for name in NAMES:
        if path := shutil.which(name):
            return Chromium(path, dict(os.environ))
    if not (ROOT / "node_modules/@sparticuz/chromium").is_dir():
        pytest.fail("There is no Chromium on PATH and none in node_modules; run `make setup`.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test processes may begin at once
        (path,) = _unpack()
        if not _lacks_libraries(path):
            return Chromium(path, dict(os.environ))
        path, libraries = _unpack("--libraries")
        return Chromium(path, os.environ | {"LD_LIBRARY_PATH": libraries})


def _unpack(*arguments: str) -> list[str]:
    node = shutil.which("node") or str(ROOT / ".venv/bin/node")
    script = Path(__file__).with_name("unpack_chromium.mjs")
    done = subprocess.run(
        [node, str(script), *arguments],
        env=os.environ | {"TMPDIR": str(FOLDER)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def _lacks_libraries(path: str) -> bool:
    return "not found" in subprocess.run(["ldd", path], capture_output=True, text=True).stdout
