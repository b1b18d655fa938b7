"""Mutants of a small project: its tests notice some, and everything is as before in the end."""

import sys
from pathlib import Path

import pytest

from tests.mutants import python_places
from tests.mutants.copies import isolated_copy
from tests.mutants.mutant import Mutant
from tests.mutants.trial import Trial, TrialError, Verdict, failing_tests, try_mutant

MODULE = """\
def may_send(used, most, is_suspended):
    if is_suspended:
        return False
    return used < most


def digits(number):
    while number:
        number //= 10
        yield number
"""
TESTS = """\
from limits import digits, may_send

def test_a_member_may_send_until_the_limit():
    assert may_send(2, 3, False)
    assert not may_send(3, 3, False)

def test_a_number_ends():
    list(digits(1234))
"""
PYTEST = [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "-p", "no:django"]
NAMES = [
    "test_limits.py::test_a_member_may_send_until_the_limit",
    "test_limits.py::test_a_number_ends",
]
BROKEN = """
import pytest

@pytest.mark.parametrize("a", ["1 - 2"])
def test_broken(a):
    assert may_send(3, 3, False), "no"
"""
#: Seconds: enough to start pytest on a busy machine, and little for a test that waits for the limit.
ENOUGH, LITTLE = 120, 8


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "limits.py").write_text(MODULE)
    (root / "test_limits.py").write_text(TESTS)
    (root / "pytest.ini").write_text("[pytest]\n")
    return root


def mutant(root: Path, after: str) -> Mutant:
    source = (root / "limits.py").read_bytes()
    found = python_places.mutants_of("limits.py", source)
    return next(each for each in found if each.after == after)


def try_in_copy(project: Path, after: str, seconds: float = ENOUGH) -> Trial:
    with isolated_copy(project) as copy:
        trial = try_mutant(mutant(project, after), copy, NAMES, [PYTEST], seconds, {})
        assert (copy / "limits.py").read_text() == MODULE
        assert (project / "limits.py").read_text() == MODULE
    assert not copy.exists()
    return trial


def test_a_change_that_no_test_notices_survives(project: Path) -> None:
    trial = try_in_copy(project, "if False:")
    assert trial.verdict == Verdict.SURVIVED
    assert str(trial.mutant) == (
        "limits.py:2 in may_send (condition)\n    - if is_suspended:\n    + if False:"
    )


def test_a_change_that_a_test_notices_is_killed_by_it(project: Path) -> None:
    trial = try_in_copy(project, "return used <= most")
    assert trial.verdict == Verdict.KILLED
    assert trial.by == "test_limits.py::test_a_member_may_send_until_the_limit"


def test_an_endless_loop_ends_at_the_limit(project: Path) -> None:
    trial = try_in_copy(project, "number *= 10", LITTLE)
    assert trial.verdict == Verdict.TIMED_OUT


def test_a_mutant_without_tests_is_not_reached(project: Path) -> None:
    assert (
        try_mutant(mutant(project, "if False:"), project, [], [], 1, {}).verdict
        == Verdict.NOT_REACHED
    )
    assert (project / "limits.py").read_text() == MODULE


def test_tests_that_cannot_run_say_nothing_about_a_mutant(project: Path) -> None:
    command = [*PYTEST, "-k", "no_such_test"]
    with pytest.raises(TrialError):
        try_mutant(mutant(project, "if False:"), project, NAMES, [command], ENOUGH, {})
    assert (project / "limits.py").read_text() == MODULE


def test_tests_that_fail_without_a_change_are_found(project: Path) -> None:
    with (project / "test_limits.py").open("a") as file:
        file.write(BROKEN)
    tests = [f"test_limits.py::{name}" for name in ("test_a_number_ends", "test_broken[1 - 2]")]
    assert failing_tests(tests, project, PYTEST, {}) == tests[1:]
    assert failing_tests([], project, PYTEST, {}) == []
    with pytest.raises(TrialError):
        failing_tests(["no_such_file.py::test"], project, PYTEST, {})
