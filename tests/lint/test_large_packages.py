"""Test modules import no package that takes seconds: every test process imports all of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.long_modules import ROOT, has_only_long_tests

#: Tests get these by `imported_later`, or import them in a function.
LARGE = {"anthropic", "cloudflare", "mcp", "mcp_types", "openai"}
#: Modules that are themselves imported in functions only.
IMPORTED_LATER = {
    "support/api/sdk_fields.py",
    *(f"support/servers/mcp_{each}.py" for each in ("program", "server", "sign_in")),
}


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the packages that a module imports when it is imported."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (each.name.split(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        is_program = name.startswith("interop/clients/")
        if not is_program and not _is_left_out(path) and name not in IMPORTED_LATER:
            yield name, ast.parse(path.read_text())


def _is_left_out(path: Path) -> bool:
    return path.name.startswith("test_") and has_only_long_tests(path)


def test_no_module_imports_a_large_package() -> None:
    found = [(name, each) for name, tree in modules() for each in imported(tree) if each in LARGE]
    assert found == []


def test_no_module_imports_what_is_imported_later() -> None:
    later = {f"tests.{each.removesuffix('.py').replace('/', '.')}" for each in IMPORTED_LATER}
    found = [
        name
        for name, tree in modules()
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module in later and name not in IMPORTED_LATER
    ]
    assert found == []


@pytest.mark.parametrize("line", ["import openai", "from openai.types import Model"])
def test_an_import_is_seen(line: str) -> None:
    assert list(imported(ast.parse(line))) == ["openai"]


def test_an_import_for_type_checkers_is_allowed() -> None:
    assert list(imported(ast.parse("if TYPE_CHECKING:\n    import openai\n"))) == []
