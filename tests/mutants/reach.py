"""Know which tests execute which lines, from a recording of the unchanged code.

The recording is made once. Afterwards only files of tests that are new or changed are recorded
again. Lines of a changed module are no longer where they were; then every test counts that executes
anything in the file. For code that runs at import, such as a table of limits, so does every test that
executes anything in a file that imports it.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.mutants.mutant import Mutant
from tests.mutants.recorder import FOLDER_VARIABLE
from tests.mutants.targets import python_files
from tests.support.servers.server import ROOT

RECORDING = ROOT / "var" / "mutants" / "reach.json"
TESTS = tuple(
    f"tests/{each}"
    for each in ("accounts", "api_keys", "conversations", "generations", "lib", "quotas", "review",
                 "sharing", "upstream", "web", "widget_sites")
)  # fmt: skip
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
CHOSEN = ("-m", "not long and not browser and not interop and not chaos")


class Reach:
    """Tests by the lines that they execute."""

    def __init__(self, recording: dict[str, Any]) -> None:
        self._digests: dict[str, str] = recording["sources"]
        self._tests: dict[str, dict[str, dict[str, Any]]] = recording["tests"]
        #: By file, how many recordings there were before it was recorded.
        self._ages: dict[str, int] = recording.get("ages", {})

    @classmethod
    def load(cls, *, anew: bool = False, processes: int = 2) -> "Reach":
        """Load the recording, after making what is missing of it."""
        recording = _read() if RECORDING.exists() and not anew else {"tests": {}, "digests": {}}
        present = {path: _digest(path) for path in _test_files()}
        known = recording["digests"]
        outdated = [path for path, digest in present.items() if known.get(path) != digest]
        if outdated:
            print(f"Recording what {len(outdated)} files of tests execute ...", flush=True)
            if not recording["tests"]:
                recording["sources"] = {path: _digest(path) for path in python_files()}
            made = _record(outdated, processes)
            kept = {path: tests for path, tests in recording["tests"].items() if path in present}
            recording |= {"tests": kept | {path: made.get(path, {}) for path in outdated}}
            ages = recording.get("ages", {})
            newest = max(ages.values(), default=0) + 1
            recording["ages"] = ages | dict.fromkeys(outdated, newest)
            recording["digests"] = present
            RECORDING.parent.mkdir(parents=True, exist_ok=True)
            RECORDING.write_text(json.dumps(recording))
        return cls(recording)

    @classmethod
    def empty(cls) -> "Reach":
        """Return what is enough for scripts."""
        return cls({"sources": {}, "tests": {}})

    def tests_of(self, mutant: Mutant, most_seconds: float) -> dict[str, float]:
        """Return tests that reach the mutant, and their seconds, within `most_seconds` together.

        Tests of different files come first, so that one large file does not take all the time. Files
        that were recorded last come before others: they may have been written for this mutant.
        """
        concerned = {mutant.path, *(() if mutant.lines else importers(mutant.path))}
        is_moved = self._digests.get(mutant.path) != hashlib.sha256(mutant.source).hexdigest()
        wanted = None if is_moved else mutant.lines
        by_file: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        for file, tests in self._tests.items():
            for test, recorded in tests.items():
                lines = (recorded["lines"].get(path, "0") for path in concerned)
                if any(_executes(int(bits, 16), wanted) for bits in lines):
                    by_file[file].append((recorded["seconds"], test))
        nearest = sorted(
            by_file,
            key=lambda file: (-self._ages.get(file, 0), -_shared_words(file, mutant.path), file),
        )
        rounds = [sorted(by_file[file]) for file in nearest]
        return _within(most_seconds, rounds)


def importers(path: str) -> list[str]:
    """Return the mutated files that import a module."""
    package, _, name = path.removesuffix(".py").replace("/", ".").rpartition(".")
    known = re.compile(rf"from {package}\.{name} import|from {package} import [^\n]*\b{name}\b")
    return [each for each in python_files() if known.search((ROOT / each).read_text())]


def _executes(bits: int, lines: tuple[int, int] | None) -> bool:
    if lines is None:
        return bits != 0
    first, last = lines
    return bool(bits >> first & ((1 << last - first + 1) - 1))


def _within(most_seconds: float, rounds: list[list[tuple[float, str]]]) -> dict[str, float]:
    """Take one test of each file in turn, until the time is used up."""
    found: dict[str, float] = {}
    left = most_seconds
    for position in range(max(map(len, rounds), default=0)):
        for tests in rounds:
            if position < len(tests):
                seconds, test = tests[position]
                if not found or seconds <= left:
                    found[test] = seconds
                    left -= seconds
    return found


def _shared_words(one: str, other: str) -> int:
    """Return how many words two paths have in common, as tests are named like what they test."""
    words = [set(path.replace(".py", "").replace("_", "/").split("/")) for path in (one, other)]
    return len(words[0] & words[1])


def _record(files: Iterable[str], processes: int) -> dict[str, dict[str, Any]]:
    found: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    with tempfile.TemporaryDirectory(prefix="runnel-mutants-") as folder:
        workers = ["-n", str(processes), "--dist", "loadgroup"] if processes > 1 else []
        command = [*PYTEST, *workers, *CHOSEN, "-p", "tests.mutants.recorder", *files]
        environment = os.environ | {FOLDER_VARIABLE: folder}
        subprocess.run(command, cwd=ROOT, env=environment, check=False)
        for part in Path(folder).glob("*.json"):
            for test, recorded in json.loads(part.read_text()).items():
                found[test.partition("::")[0]][test] = recorded
    return found


def _read() -> dict[str, Any]:
    recording: dict[str, Any] = json.loads(RECORDING.read_text())
    return recording


def _test_files() -> list[str]:
    found = (path for folder in TESTS for path in (ROOT / folder).rglob("test_*.py"))
    return sorted(str(path.relative_to(ROOT)) for path in found)


def _digest(path: str) -> str:
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()
