"""`make test` doesn't import modules whose tests are all long, and leaves out no other test."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.long_modules import ROOT, has_only_long_tests, is_left_out

LONG_ALONE = "pytestmark = pytest.mark.long  # it starts a site of its own\n"
LONG_IN_A_LIST = (
    'pytestmark = [\n    pytest.mark.interop,\n    runs("x"),\n    pytest.mark.long,\n]\n'
)
ONE_LONG = "@pytest.mark.long\ndef test_it() -> None: ...\n"
LONG_FOLLOWS = f"pytestmark = [pytest.mark.django_db]\nVARIANTS = [1]\n{ONE_LONG}"
QUICK = "@pytest.mark.quick\ndef test_it() -> None: ...\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tests.support.long_modules.ROOT", tmp_path)
    return tmp_path


def module(root: Path, folder: str, text: str) -> Path:
    path = root / folder / "test_it.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("folder", "text", "is_long"),
    [
        ("web", LONG_ALONE, True),
        ("web", LONG_IN_A_LIST, True),
        ("web", ONE_LONG, False),
        ("web", LONG_FOLLOWS, False),
        ("web", "", False),
        ("browser", ONE_LONG, True),
        ("browser", "", True),
        ("browser", QUICK, False),
        ("attacks", f"{ONE_LONG}{QUICK}", False),
        ("attacks", f"{LONG_ALONE}{QUICK}", True),
    ],
)
def test_a_module_is_left_out_if_all_of_its_tests_are_long(
    root: Path, folder: str, text: str, is_long: bool
) -> None:
    path = module(root, folder, text)
    assert has_only_long_tests(path) is is_long
    assert is_left_out(path, "not long") is is_long
    assert is_left_out(path, "not long and not browser") is is_long


@pytest.mark.parametrize("expression", ["", "long or hypothesis", "quick", "not chaos"])
def test_nothing_is_left_out_of_other_runs(root: Path, expression: str) -> None:
    assert not is_left_out(module(root, "web", LONG_ALONE), expression)


@pytest.mark.long
def test_no_quick_test_is_in_a_module_that_is_left_out() -> None:
    left_out = [str(path) for path in ROOT.rglob("test_*.py") if has_only_long_tests(path)]
    assert len(left_out) > 50
    # In brackets, the expression leaves out tests, but no modules.
    options = ["--collect-only", "-q", "-m", "(not long)", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *left_out]
    collected = subprocess.run(command, cwd=ROOT.parent, capture_output=True, text=True)
    assert collected.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, collected.stdout
