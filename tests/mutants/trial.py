"""Try a mutant: run its tests in a copy of the tree that has the change."""

import os
import signal
import subprocess
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tests.mutants import mutant as mutants
from tests.mutants.mutant import Mutant

#: A test gets as many times its recorded seconds, and all together some seconds to start.
PATIENCE = 4
START_SECONDS = 60


class Verdict(StrEnum):
    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    NOT_REACHED = "not reached"
    EXPLAINED = "explained"


@dataclass(frozen=True)
class Trial:
    """What happened to a mutant; `by` names the test that failed."""

    mutant: Mutant
    verdict: Verdict
    seconds: float = 0
    by: str = ""


class TrialError(Exception):
    """Tests could not be run, which says nothing about the mutant."""


def try_mutant(
    mutant: Mutant,
    copy: Path,
    tests: Collection[str],
    commands: Sequence[Sequence[str]],
    limit_seconds: float,
    environment: Mapping[str, str],
) -> Trial:
    """Run the commands, which run these tests, until one fails.

    An infinite loop ends at the limit for one command, and counts as killed.
    """
    if not commands:
        return Trial(mutant, Verdict.NOT_REACHED)
    began = time.monotonic()
    mutants.apply(mutant, copy)
    try:
        for command in commands:
            code, output = _run(command, copy, limit_seconds, environment)
            seconds = time.monotonic() - began
            if code is None:
                return Trial(mutant, Verdict.TIMED_OUT, seconds)
            if code:
                return Trial(
                    mutant, Verdict.KILLED, seconds, by=_killer(command, code, output, tests)
                )
        return Trial(mutant, Verdict.SURVIVED, time.monotonic() - began)
    finally:
        mutants.restore(mutant, copy)


def failing_tests(
    tests: Sequence[str], copy: Path, command: Sequence[str], environment: Mapping[str, str]
) -> list[str]:
    """Return those of the tests that fail without any change, too."""
    if not tests:
        return []
    code, output = _run([*command, "-rfE", *tests], copy, None, environment)
    if code not in {0, 1}:
        raise TrialError(f"the tests cannot be run on the unchanged code:\n{output[-2000:]}")
    return _failed(output, tests)


def _run(
    command: Sequence[str], copy: Path, seconds: float | None, environment: Mapping[str, str]
) -> tuple[int | None, str]:
    """Run a command with everything that it starts; return no code if it took too long."""
    with subprocess.Popen(
        command,
        cwd=copy,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except BaseException as error:
            # Not after a normal end: its number may be that of another process by then.
            os.killpg(process.pid, signal.SIGKILL)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return None, ""


def _killer(command: Sequence[str], code: int, output: str, tests: Iterable[str]) -> str:
    """Return the test that failed. Pytest's codes 2 and 4 mean that a module can't be imported."""
    if "pytest" not in command:
        return command[-1]
    if code not in {1, 2, 4}:
        raise TrialError(f"pytest ended with {code}:\n{output[-2000:]}")
    return next(iter(_failed(output, tests)), "import")


def _failed(output: str, tests: Iterable[str]) -> list[str]:
    """Return which of the tests pytest's summary names; their ids may have spaces and dashes."""
    ends = [
        line.partition(" ")[2]
        for line in output.splitlines()
        if line.startswith(("FAILED ", "ERROR "))
    ]
    return [test for test in tests if any(f"{end} - ".startswith(f"{test} - ") for end in ends)]
