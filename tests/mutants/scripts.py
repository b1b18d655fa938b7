"""Mutants of scripts, and the tests that import a script."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.mutants.mutant import Edit, Mutant
from tests.support.servers.server import BIN

FINDER = Path(__file__).with_name("script_places.mjs")
IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']""")


def node() -> str:
    return shutil.which("node") or str(BIN / "node")


def script_mutants(root: Path, paths: Sequence[str]) -> list[Mutant]:
    """Return the mutants of scripts below `root`. Not all of them are valid: see `is_valid`."""
    command = [node(), str(FINDER), *paths]
    printed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    return [
        Mutant(path, Edit(**edit), scope, None, (root / path).read_bytes())
        for path, edits in json.loads(printed).items()
        for scope, edit in ((each.pop("scope"), each) for each in edits)
    ]


def is_valid(mutant: Mutant) -> bool:
    command = [node(), "--input-type=module", "--check", "-"]
    run = subprocess.run(command, input=mutant.changed, capture_output=True, check=False)
    return run.returncode == 0


def tests_importing(root: Path, path: str) -> list[str]:
    """Return the tests whose scripts import a script, directly or through others."""
    wanted = (root / path).resolve()
    tests = sorted(root.glob("tests/js/*.test.mjs"))
    return [str(each.relative_to(root)) for each in tests if wanted in _imported(each.resolve())]


@cache
def _imported(script: Path) -> frozenset[Path]:
    """Return everything that a script imports."""
    found, open_scripts = {script}, [script]
    while open_scripts:
        current = open_scripts.pop()
        for target in IMPORTED.findall(current.read_text()):
            imported = (current.parent / target).resolve()
            if imported.suffix in {".js", ".mjs"} and imported.is_file() and imported not in found:
                found.add(imported)
                open_scripts.append(imported)
    return frozenset(found)
