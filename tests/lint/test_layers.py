"""The layout of the tree. (`make lint` checks the layers of imports.)"""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.servers.server import ROOT

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 60
CONTROLLERS = ROOT / "static" / "js" / "controllers"
#: Migrations: their number grows with every change, and the first has all tables.
HISTORY = ROOT / "chat" / "migrations"


def modules() -> Iterator[Path]:
    for top in ("chat", "project"):
        yield from (each for each in (ROOT / top).rglob("*.py") if each.parent != HISTORY)


def test_no_package_has_an_import_cycle() -> None:
    """`lint-imports` checks it, with this contract."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert tool["root_package"] == "chat"
    (contract,) = [each for each in tool["contracts"] if each["type"] == "acyclic_siblings"]
    assert contract["ancestors"] == ["chat"]
    assert contract.keys() == {"name", "type", "ancestors"}


def test_no_function_is_too_long() -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}": node.end_lineno - node.lineno + 1
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, functions) and node.end_lineno
    }
    assert len(found) > 1000
    assert {place: lines for place, lines in found.items() if lines > MAX_FUNCTION_LINES} == {}


def test_no_file_is_too_long() -> None:
    files = [
        *modules(),
        *ROOT.glob("static/**/*.js"),
        *ROOT.glob("tests/**/*.py"),
        *ROOT.glob("tests/js/**/*.mjs"),
    ]
    long = [file for file in files if len(file.read_text().splitlines()) > MAX_FILE_LINES]
    assert long == []


def test_migrations_import_no_other_code() -> None:
    """Migrations must not change with the code, so they contain copies of what they need."""
    migrations = sorted(HISTORY.glob("0*.py"))
    imported = {
        (path.name, name)
        for path in migrations
        for node in ast.walk(ast.parse(path.read_text()))
        for name in _imported_names(node)
    }
    assert ("0001_initial.py", "django.db") in imported
    ours = {each for each in imported if each[1].split(".")[0] in ("", "chat", "project", "tests")}
    assert ours == set()


def _imported_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return ["" if node.level else node.module or ""]  # relative ones are ours
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def test_controllers_do_not_inherit_from_each_other() -> None:
    heirs = [
        str(path.relative_to(CONTROLLERS))
        for path in CONTROLLERS.glob("**/*.js")
        if re.search(r"\bclass \w+ extends\b|@abstract", path.read_text())
    ]
    assert heirs == []


def test_the_root_has_only_known_folders() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    folders = {Path(line).parts[0] for line in tracked.splitlines() if "/" in line}
    assert folders <= {
        "project", "chat", "templates", "static", "tests", "docs", "deploy", "benchmarks", ".ci", ".github",
    }  # fmt: skip


#: Packages with many tests, which are in folders of the same names.
@pytest.mark.parametrize(
    ("code", "tests"),
    [
        ("chat/web", "tests/web"),
        ("chat/generations", "tests/generations"),
    ],
)
def test_folders_of_tests_are_named_like_the_code(code: str, tests: str) -> None:
    folders = {path.parent.name for path in (ROOT / tests).glob("*/test_*.py")}
    assert folders <= {path.name for path in (ROOT / code).iterdir() if path.is_dir()}


def test_no_test_module_imports_another() -> None:
    """Shared helpers are in tests/support or a conftest.py."""
    for path in ROOT.glob("tests/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            assert not re.match(r"tests\.(.+\.)?test_", module or ""), path
