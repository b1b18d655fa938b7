"""Which changes are made to Python code, and which are not."""

from dataclasses import replace

import pytest

from tests.mutants import python_places
from tests.mutants.mutant import Mutant


def changes(source: str) -> list[str]:
    """Return the changed lines of all valid mutants."""
    return [each.after for each in valid(source)]


def valid(source: str) -> list[Mutant]:
    found = python_places.mutants_of("module.py", source.encode())
    return [each for each in found if python_places.is_valid(each)]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("a < b", "a <= b"),
        ("a is not b", "a is b"),
        ("(a) not in (b)", "(a) in (b)"),
        ("a and b", "a or b"),
        ("a - b", "a + b"),
        ("a -= b", "a += b"),
        ("not a", "a"),
        ("a if b else c", "a if False else c"),
        ("[a for a in b if a.mine]", "[a for a in b if True]"),
        ("rows.filter(owner=a, deleted=None)", "rows.filter(owner=a, )"),
        ("rows.filter(owner=a, deleted=None)", "rows.filter(deleted=None)"),
        ('rows.first("id = %s AND purged IS NULL", a)', "rows.first('id = %s', a)"),
        ("a = 3", "a = 4"),
        ("a = 15_000", "a = 30000"),
        ("max(a, b)", "min(a, b)"),
        ("a.startswith(b)", "a.endswith(b)"),
        ("a.is_open = True", "pass"),
        ("a.is_open = True", "a.is_open = False"),
        ("record_access(a)", "pass"),
        ("await record_access(a)", "pass"),
        ("raise Forbidden", "pass"),
        ("return a", "return None"),
        ("ä = a < b", "ä = a <= b"),
    ],
)
def test_a_statement_is_changed(source: str, changed: str) -> None:
    assert changed in changes(f"async def function(a, b, c, rows):\n    {source}")


def test_a_decorator_is_removed() -> None:
    source = "@atomic\n@cache\ndef function():\n    pass"
    (found,) = valid(source)
    assert found.changed.decode() == "\n@cache\ndef function():\n    pass"
    assert found.scope == "function"


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""',
        "import a.b",
        "a: int | None",
        "text = _('You may not.')",
        "logger.warning('odd %s', 1)",
        "text = f'{a < b}'",
        "class A:\n    verbose_name = 'a'",
    ],
)
def test_words_and_types_are_left_alone(source: str) -> None:
    assert changes(source) == []


def test_lines_are_those_that_run_the_change() -> None:
    source = "LIMIT = 3\n\ndef function(a):\n    if (a\n            < 3):\n        return a\n    return f(\n        1)\n"
    found = {(each.edit.operator, each.lines) for each in valid(source)}
    assert found == {
        ("constant", None),
        ("condition", (4, 5)),
        ("comparison", (4, 5)),
        ("constant", (4, 5)),
        ("return value", (6, 6)),
        ("return value", (7, 8)),
        ("constant", (7, 8)),
    }


def test_code_that_cannot_be_compiled_is_no_mutant() -> None:
    found = python_places.mutants_of("module.py", b"match a:\n    case 1:\n        pass\n")
    (one,) = [each for each in found if each.edit.operator == "constant"]
    assert python_places.is_valid(one)
    broken = replace(one, edit=replace(one.edit, replacement="1 +"))
    assert not python_places.is_valid(broken)
