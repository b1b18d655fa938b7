"""Run the code in the docs, with the packages of tests/guides."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.servers.server import ROOT

FOLDER = ROOT / "tests" / "guides"
INSTALLED = FOLDER / "node_modules" / ".installed"


def block(language: str, word: str, page: str = "widget.md") -> str:
    """Return the page's code block in this language that contains the word."""
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return next(each for each in blocks if word in each)


def node() -> str:
    found = shutil.which("node")
    assert found, "make test brings it"
    return found


def php(script: Path, **names: str) -> str:
    """Return the output of a PHP script."""
    need_packages()
    return run(node(), str(FOLDER / "php.mjs"), str(script), **names)


def build(folder: Path, program: str, *arguments: str) -> None:
    """Run a program of the packages, as a website's developer would."""
    need_packages()
    telling = {"NUXT_TELEMETRY_DISABLED": "1", "PATH": os.environ["PATH"], "CI": "1"}
    run(str(FOLDER / "node_modules" / ".bin" / program), *arguments, cwd=folder, **telling)


def run(*command: str, cwd: Path | None = None, **names: str) -> str:
    done = subprocess.run(command, cwd=cwd, env=names, capture_output=True, text=True)
    assert done.returncode == 0, f"{command} failed: {done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout.strip()


def need_packages() -> None:
    if not INSTALLED.exists():
        pytest.fail("The packages of tests/guides are not there; `make test-long` installs them.")
