"""Try mutants, several at the same time, each in a copy of the tree."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue

from tests.mutants import scripts
from tests.mutants.copies import isolated_copy
from tests.mutants.explained import Key
from tests.mutants.mutant import Mutant
from tests.mutants.reach import PYTEST, Reach
from tests.mutants.results import Results
from tests.mutants.trial import PATIENCE, START_SECONDS, Trial, Verdict, failing_tests, try_mutant
from tests.support.database import database_templates

#: How long a file with tests of scripts may take.
SCRIPT_SECONDS = 30
Commands = Sequence[Sequence[str]]


class Run:
    """The copies of the tree, for as long as the run lasts."""

    def __init__(
        self,
        copies: Sequence[Path],
        reach: Reach,
        reasons: dict[Key, str],
        results: Results,
        seconds: float,
    ) -> None:
        self._free: SimpleQueue[Path] = SimpleQueue()
        for copy in copies:
            self._free.put(copy)
        self._workers = len(copies)
        self._reach = reach
        self._reasons = reasons
        self._results = results
        self._seconds = seconds
        self._environment = {
            database_templates.DIGEST_VARIABLE: database_templates.digest_of_code()
        }

    @classmethod
    @contextmanager
    def started(
        cls,
        root: Path,
        workers: int,
        reach: Reach,
        reasons: dict[Key, str],
        results: Results,
        seconds: float,
    ) -> "Iterator[Run]":
        with ExitStack() as stack:
            # Made of the unchanged code, and used for all mutants.
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="runnel-mutants-"))
            database_templates.copy_sqlite(Path(scratch) / "test.sqlite3")
            copies = [stack.enter_context(isolated_copy(root)) for _ in range(workers)]
            yield cls(copies, reach, reasons, results, seconds)

    def of(self, mutants: Sequence[Mutant]) -> list[Trial]:
        """Try these mutants."""
        with ThreadPoolExecutor(self._workers) as threads:
            return list(threads.map(self._try, mutants))

    def failing_unchanged(self, trials: Iterable[Trial]) -> list[str]:
        """Return the tests that killed a mutant and fail on the unchanged code, too.

        Where there are any, something is wrong with the tests or the machine, and kills mean little.
        """
        tests = sorted({trial.by for trial in trials if "::" in trial.by})
        copy = self._free.get()
        try:
            return failing_tests(tests, copy, [*PYTEST, "--tb=no"], self._environment)
        finally:
            self._free.put(copy)

    def _try(self, mutant: Mutant) -> Trial:
        if mutant.key in self._reasons:
            return Trial(mutant, Verdict.EXPLAINED)
        if earlier := self._results.earlier(mutant):
            return earlier
        copy = self._free.get()
        try:
            tests, commands, limit = self._tests(mutant, copy)
            trial = try_mutant(mutant, copy, tests, commands, limit, self._environment)
        finally:
            self._free.put(copy)
        self._results.add(trial)
        by = f" by {trial.by}" if trial.by else ""
        print(f"{trial.verdict}{by} ({trial.seconds:.0f} s): {mutant}", flush=True)
        return trial

    def _tests(self, mutant: Mutant, copy: Path) -> tuple[list[str], Commands, float]:
        """Return the mutant's tests, the commands that run them, and how long each may take."""
        if not mutant.path.endswith(".py"):
            files = scripts.tests_importing(copy, mutant.path)
            return files, [[scripts.node(), "--test", file] for file in files], SCRIPT_SECONDS
        tests = self._reach.tests_of(mutant, self._seconds)
        if not tests:
            return [], [], 0
        names = copy.parent / "tests"
        names.write_text("\n".join(tests))
        command = [*PYTEST, "-x", "--tb=no", "-rfE", "--no-header", f"@{names}"]
        return list(tests), [command], START_SECONDS + PATIENCE * sum(tests.values())
