"""How the tree is laid out. That imports go down the layers is asked by `make lint`."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.server import ROOT

LONGEST_FILE = 300


def test_no_file_is_too_long_to_read() -> None:
    files = [
        *ROOT.glob("chat/**/*.py"),
        *ROOT.glob("project/**/*.py"),
        *ROOT.glob("static/**/*.js"),
        *ROOT.glob("tests/**/*.py"),
        *ROOT.glob("tests/js/**/*.mjs"),
    ]
    long = [file for file in files if len(file.read_text().splitlines()) > LONGEST_FILE]
    assert long == []


def test_only_the_fixed_things_lie_at_the_top() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    folders = {Path(line).parts[0] for line in tracked.splitlines() if "/" in line}
    assert folders <= {
        "project", "chat", "templates", "static", "tests", "docs", "deploy", "benchmarks", ".ci", ".github",
    }  # fmt: skip


def test_no_folder_has_more_than_twenty_files_of_tests() -> None:
    for folder in {path.parent for path in ROOT.glob("tests/**/test_*.py")}:
        assert len(list(folder.glob("test_*.py"))) <= 20, folder


#: Rooms of the code whose tests are many: theirs lie in folders of the same names.
@pytest.mark.parametrize(
    ("code", "tests"),
    [
        ("chat/web", "tests/web"),
        ("chat/generations", "tests/generations"),
    ],
)
def test_folders_of_tests_have_the_names_of_those_of_the_code(code: str, tests: str) -> None:
    folders = {path.parent.name for path in (ROOT / tests).glob("*/test_*.py")}
    assert folders <= {path.name for path in (ROOT / code).iterdir() if path.is_dir()}


def test_no_test_imports_a_test() -> None:
    """What tests share lies in tests/support, or in a conftest.py."""
    for path in ROOT.glob("tests/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            assert not re.match(r"tests\.(.+\.)?test_", module or ""), path
