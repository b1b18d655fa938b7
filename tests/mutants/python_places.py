"""Find every change that can be made to a Python file."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.mutants.mutant import Edit, Mutant
from tests.mutants.python_operators import OPERATORS, Text, decorators

#: Calls with texts for people or for the log, which tests should not repeat.
WORDS = frozenset({"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "TypeVar", "cast"})  # fmt: skip
LOGGERS = frozenset({"logger", "log", "logging", "warnings"})
#: Attributes of classes that say nothing about what the code does.
NAMES_ONLY = frozenset(
    {"__slots__", "__all__", "verbose_name", "help_text", "db_table", "app_label"}
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class _Place:
    scope: str = ""
    #: The lines of the statement, or of the head of a compound one; None if it runs at import.
    lines: tuple[int, int] | None = None
    is_in_function: bool = False


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Return the mutants of a file. Not all of them are valid: see `is_valid`."""
    found = _walk(Text(source), ast.parse(source), _Place())
    return [Mutant(path, edit, place.scope, place.lines, source) for edit, place in found]


def is_valid(mutant: Mutant) -> bool:
    """Return True if the mutant compiles and differs from the original."""
    try:
        compile(mutant.changed, mutant.path, "exec")  # finds more than parsing does
        return ast.dump(ast.parse(mutant.changed)) != ast.dump(ast.parse(mutant.source))
    except SyntaxError:
        return False


def _walk(text: Text, node: ast.AST, place: _Place) -> Iterator[tuple[Edit, _Place]]:
    if _is_skipped(node):
        return
    if isinstance(node, Function | ast.ClassDef):
        yield from _definition(text, node, place)
        return
    if isinstance(node, ast.stmt) and place.is_in_function:
        place = replace(place, lines=_lines_of(node))
    if operator := OPERATORS.get(type(node)):
        yield from ((edit, place) for edit in operator(text, node))
    for child in _children(node):
        yield from _walk(text, child, place)


def _definition(
    text: Text, node: Function | ast.ClassDef, place: _Place
) -> Iterator[tuple[Edit, _Place]]:
    scope = f"{place.scope}.{node.name}".lstrip(".")
    inside = _Place(scope, place.lines, place.is_in_function)
    for each in node.decorator_list:
        yield from _walk(text, each, inside)
    if not isinstance(node, ast.ClassDef):
        yield from ((edit, inside) for edit in decorators(text, node))
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:
                yield from _walk(text, default, inside)
        inside = replace(inside, is_in_function=True)
    for statement in node.body:
        yield from _walk(text, statement, inside)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that are no annotations and no texts for people."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        if isinstance(node, ast.Raise) and name == "cause":
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield each


def _is_skipped(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True  # parts of f-strings have no positions of their own in Python 3.11
        case ast.Expr(value=ast.Constant()):
            return True  # docstrings
        case ast.Call(func=ast.Name(id=name)) if name in WORDS:
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in LOGGERS:
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name in LOGGERS
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name in NAMES_ONLY
        case ast.keyword(arg=name):
            return name in NAMES_ONLY
    return False


def _lines_of(statement: ast.stmt) -> tuple[int, int]:
    """Return the lines of a statement, without those of the statements inside it."""
    inner = [child.lineno for child in ast.walk(statement) if isinstance(child, ast.stmt)]
    first = statement.lineno
    inside = [line for line in inner if line > first]
    return first, min(inside) - 1 if inside else statement.end_lineno or first
