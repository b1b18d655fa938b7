"""What is written down about trials, and how tests are chosen."""

import hashlib
from pathlib import Path

from tests.mutants import python_places, results
from tests.mutants.mutant import Mutant
from tests.mutants.reach import Reach, importers
from tests.mutants.results import Results
from tests.mutants.trial import Trial, Verdict

SOURCE = b"def one():\n    return a < b\n\n\ndef two():\n    return a > b\n\n\nLIMIT = 3\n"


def mutants() -> dict[str, Mutant]:
    found = python_places.mutants_of("chat/quotas/limits.py", SOURCE)
    return {each.after: each for each in found}


def recording(
    tests: dict[str, tuple[float, set[int]]], digest: str, ages: dict[str, int] | None = None
) -> Reach:
    files: dict[str, dict[str, object]] = {}
    for test, (seconds, lines) in tests.items():
        bits = f"{sum(1 << line for line in lines):x}"
        recorded = {"seconds": seconds, "lines": {"chat/quotas/limits.py": bits}}
        files.setdefault(test.partition("::")[0], {})[test] = recorded
    return Reach({"sources": {"chat/quotas/limits.py": digest}, "tests": files, "ages": ages or {}})


TESTS = {
    "tests/web/test_page.py::test_page": (1.0, {2}),
    "tests/quotas/test_limits.py::test_slow": (9.0, {2}),
    "tests/quotas/test_limits.py::test_quick": (2.0, {2, 6}),
    "tests/quotas/test_limits.py::test_other": (1.0, {6}),
}


def test_tests_that_run_the_line_are_chosen_and_the_nearest_come_first() -> None:
    reach = recording(TESTS, hashlib.sha256(SOURCE).hexdigest())
    mutant = mutants()["return a <= b"]
    quick, slow, page = (
        f"tests/{each}"
        for each in (
            "quotas/test_limits.py::test_quick",
            "quotas/test_limits.py::test_slow",
            "web/test_page.py::test_page",
        )
    )
    assert list(reach.tests_of(mutant, 100)) == [quick, page, slow]
    assert list(reach.tests_of(mutant, 5)) == [quick, page]
    assert list(reach.tests_of(mutant, 0)) == [quick]  # at least one


def test_tests_that_were_written_last_come_first() -> None:
    ages = {"tests/web/test_page.py": 2, "tests/quotas/test_limits.py": 1}
    reach = recording(TESTS, hashlib.sha256(SOURCE).hexdigest(), ages)
    first = next(iter(reach.tests_of(mutants()["return a <= b"], 100)))
    assert first == "tests/web/test_page.py::test_page"


def test_what_runs_at_import_and_what_has_moved_concern_each_test_of_the_module() -> None:
    known = recording(TESTS, hashlib.sha256(SOURCE).hexdigest())
    assert set(known.tests_of(mutants()["LIMIT = 4"], 100)) == TESTS.keys()
    moved = recording(TESTS, "of another version")
    assert set(moved.tests_of(mutants()["return a <= b"], 100)) == TESTS.keys()


def test_a_table_concerns_those_who_test_what_imports_it() -> None:
    found = importers("chat/quotas/units.py")
    assert {"chat/quotas/limits.py", "chat/quotas/ledger.py"} <= set(found)
    assert "chat/quotas/payer.py" not in found
    assert "chat/quotas/ledger.py" in importers(
        "chat/quotas/pauses.py"
    )  # `from chat.quotas import`


def test_a_resumed_run_knows_what_was_killed_and_tries_the_rest_again(tmp_path: Path) -> None:
    killed, survived, *_ = mutants().values()
    file = tmp_path / "results.jsonl"
    first = Results(file, is_resumed=True)
    first.add(Trial(killed, Verdict.KILLED, by="test_a"))
    first.add(Trial(survived, Verdict.SURVIVED))
    second = Results(file, is_resumed=True)
    assert second.earlier(killed) == Trial(killed, Verdict.KILLED, by="test_a")
    assert second.earlier(survived) is None
    assert Results(file, is_resumed=False).earlier(killed) is None


def test_explained_mutants_do_not_count_in_the_rate() -> None:
    one = next(iter(mutants().values()))
    verdicts = [
        Verdict.KILLED,
        Verdict.TIMED_OUT,
        Verdict.NOT_REACHED,
        Verdict.SURVIVED,
        Verdict.EXPLAINED,
    ]
    trials = [Trial(one, verdict) for verdict in verdicts]
    assert results.rate(trials) == 0.5
    assert results.rate([]) == 1
    assert "| quotas | 5 | 2 | 1 | 1 | 2 | 50% |" in results.table({"quotas": trials})


def test_a_table_replaces_the_one_before_it(tmp_path: Path) -> None:
    document = tmp_path / "document.md"
    document.write_text(f"Before\n\n{results.BEGIN}\nlast year\n{results.END}\n\nAfter\n")
    results.write(document, {"quotas": []}, "python -m tests.mutants")
    text = document.read_text()
    assert text.startswith("Before\n")
    assert text.endswith("After\n")
    assert "last year" not in text
    assert "| quotas | 0 |" in text
