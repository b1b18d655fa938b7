"""SQL is in the modules that docs/design/prepared_queries.md lists, and nowhere else."""

import ast
import re

import pytest

from tests.support.servers.server import ROOT

DOCUMENT = ROOT / "docs" / "design" / "prepared_queries.md"
MIGRATIONS = ROOT / "chat" / "migrations"
RUNS = {"execute", "executemany", "executescript", "raw", "extra", "cursor"}
SQL = re.compile(
    r"\b(SELECT\b.+\bFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM(?=\s*(\w|$))|"
    r"(CREATE|DROP|ALTER)\s+(OR\s+REPLACE\s+)?(TABLE|TRIGGER|INDEX|FUNCTION|VIRTUAL)|PRAGMA)\b",
    re.DOTALL,
)


def test_only_the_listed_modules_hold_sql() -> None:
    found = {path for path in _modules() if _holds_sql(ast.parse((ROOT / path).read_text()))}
    listed = _listed()
    assert {path for path in found if not _is_in(path, listed)} == set()
    assert {each for each in listed if not any(_is_in(path, {each}) for path in found)} == set()


def _modules() -> list[str]:
    files = (each for top in ("chat", "project") for each in (ROOT / top).rglob("*.py"))
    return [str(each.relative_to(ROOT)) for each in files if MIGRATIONS not in each.parents]


def _listed() -> set[str]:
    """Return the files, and the folders (`…/`), in the document's table."""
    _, section = DOCUMENT.read_text().split("## Where SQL is written\n")
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row.split(" | ")[0])}


def _is_in(path: str, places: set[str]) -> bool:
    return any(path == each or (each.endswith("/") and path.startswith(each)) for each in places)


def _holds_sql(tree: ast.AST) -> bool:
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return any(
        _runs_sql(node) or (id(node) not in documented and _is_sql(node)) for node in ast.walk(tree)
    )


def _runs_sql(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Name):
        return called.id == "RawSQL"
    return isinstance(called, ast.Attribute) and called.attr in RUNS


def _is_sql(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and bool(SQL.search(node.value))
    )


@pytest.mark.parametrize(
    ("code", "is_sql"),
    [
        ('cursor.execute("ANALYZE")', True),
        ('BEST = "SELECT id FROM chat_message"', True),
        ('f"DELETE FROM {table}"', True),
        ('User.objects.extra(where=["1"])', True),
        ('"""Select a model from the list."""', False),
        ("Message.objects.filter(pk=1).update(text='')", False),
    ],
)
def test_sql_is_recognised(code: str, is_sql: bool) -> None:
    assert _holds_sql(ast.parse(code)) is is_sql
