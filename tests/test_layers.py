"""How the tree is laid out. That imports go down the layers is asked by `make lint`."""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.servers.server import ROOT

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 60
MAX_MODULES = 20
CONTROLLERS = ROOT / "static" / "js" / "controllers"
#: One module for each change of the database: there are as many as there were changes, and the
#: first has all tables.
HISTORY = ROOT / "chat" / "migrations"


def modules() -> Iterator[Path]:
    for top in ("chat", "project"):
        yield from (each for each in (ROOT / top).rglob("*.py") if each.parent != HISTORY)


def test_no_folder_of_chat_may_have_a_cycle() -> None:
    """`lint-imports` checks it, with this contract."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert tool["root_package"] == "chat"
    (contract,) = [each for each in tool["contracts"] if each["type"] == "acyclic_siblings"]
    assert contract["ancestors"] == ["chat"]
    assert contract.keys() == {"name", "type", "ancestors"}


def test_no_folder_has_more_modules_than_one_can_overlook() -> None:
    counts = Counter(each.parent for each in modules() if each.stem != "__init__")
    assert len(counts) > 50
    assert {folder: n for folder, n in counts.items() if n > MAX_MODULES} == {}


def test_no_function_is_too_long_to_read() -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}": node.end_lineno - node.lineno + 1
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, functions) and node.end_lineno
    }
    assert len(found) > 1000
    assert {place: lines for place, lines in found.items() if lines > MAX_FUNCTION_LINES} == {}


def test_no_file_is_too_long_to_read() -> None:
    files = [
        *modules(),
        *ROOT.glob("static/**/*.js"),
        *ROOT.glob("tests/**/*.py"),
        *ROOT.glob("tests/js/**/*.mjs"),
    ]
    long = [file for file in files if len(file.read_text().splitlines()) > MAX_FILE_LINES]
    assert long == []


def test_migrations_import_nothing_that_may_change() -> None:
    """A migration says what is made today, whatever our code becomes: it has copies of what it needs."""
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


def test_no_folder_of_controllers_becomes_a_lobby() -> None:
    assert list(CONTROLLERS.glob("*.js")) == []
    sizes = {folder.name: len(list(folder.iterdir())) for folder in CONTROLLERS.iterdir()}
    assert sizes
    assert [name for name, size in sizes.items() if size > MAX_MODULES] == []


def test_controllers_are_composed_and_inherit_nothing() -> None:
    heirs = [
        str(path.relative_to(CONTROLLERS))
        for path in CONTROLLERS.glob("**/*.js")
        if re.search(r"\bclass \w+ extends\b|@abstract", path.read_text())
    ]
    assert heirs == []


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
