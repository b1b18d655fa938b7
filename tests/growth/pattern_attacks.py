"""Find the regular expressions of the code, and texts that make a careless one take long."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.support.servers.server import ROOT

_parser: Any = import_module("re._parser")
OPERATIONS = {"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
#: Characters that some pattern is likely to treat in a special way, or not at all.
COMMON = "a \n0-"
MAX_ATOMS = 9


@dataclass
class Use:
    """A regular expression, and how the code applies it."""

    place: str
    pattern: re.Pattern[Any]
    operations: set[str] = field(default_factory=set)


def modules(*wanted: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules whose text contains `wanted`; reading all takes seconds, in each process."""
    for top in ("chat", "project"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if "migrations" in path.parts or "re." not in (text := path.read_text()):
                continue
            if any(each in text for each in wanted):
                yield _name(path), ast.parse(text)


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def uses() -> tuple[list[Use], set[str]]:
    """Return the patterns of the code, and the places of those that can't be found at run time."""
    known: dict[int, Use] = {}
    unknown: set[str] = set()
    for name, tree in modules("re.compile("):
        names = vars(import_module(name))
        named = {id(each) for each in _named_patterns(tree, names)}
        for use in _named_uses(name, tree, names):
            known.setdefault(id(use.pattern), use)
        unknown |= _hidden_patterns(name, tree, len(named))
    for name, tree in modules(*(f".{each}(" for each in OPERATIONS)):
        names = vars(import_module(name))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                _note(known, name, node, node.func, names)
    return list(known.values()), unknown


def _named_patterns(tree: ast.Module, names: dict[str, Any]) -> list[re.Pattern[Any]]:
    return [
        pattern
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and "re.compile(" in ast.unparse(node)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
        for pattern in _patterns_in(names.get(target.id))
    ]


def _patterns_in(value: Any) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _patterns_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _patterns_in(each)


def _named_uses(module: str, tree: ast.Module, names: dict[str, Any]) -> Iterator[Use]:
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or "re.compile(" not in ast.unparse(
            node
        ):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                found = list(_patterns_in(names.get(target.id)))
                for at, pattern in enumerate(found):
                    number = f"[{at}]" if len(found) > 1 else ""
                    yield Use(f"{module}:{target.id}{number}", pattern)


def _hidden_patterns(module: str, tree: ast.Module, named: int) -> set[str]:
    """Return the places of patterns that are made where a test can't see them."""
    inside = {
        f"{module}:{node.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) == "re.compile"
        and not isinstance(call.args[0], ast.Constant)
    }
    outside = sum(
        ast.unparse(node).count("re.compile(")
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
    )
    return inside | ({f"{module}:?"} if outside > named else set())


def _note(
    known: dict[int, Use], module: str, call: ast.Call, func: ast.Attribute, names: dict[str, Any]
) -> None:
    """Note how a pattern is applied; patterns without a name are added."""
    if func.attr not in OPERATIONS:
        return
    made = func.value
    if isinstance(made, ast.Name) and made.id == "re":
        made = call
    elif isinstance(made, ast.Name):
        pattern = names.get(made.id)
        if isinstance(pattern, re.Pattern) and id(pattern) in known:
            known[id(pattern)].operations.add(func.attr)
        return
    if isinstance(made, ast.Call) and ast.unparse(made.func).startswith("re.") and made.args:
        first = made.args[0]
        if isinstance(first, ast.Constant):
            found = re.compile(first.value)
            use = known.setdefault(id(found), Use(f"{module}:{first.value!r}", found))
            use.operations.add(func.attr)


def atoms(pattern: re.Pattern[Any]) -> list[str]:
    """Return characters and words that the pattern distinguishes, the rarer ones first."""
    found: dict[str, None] = {}
    flags = pattern.flags & ~re.DEBUG
    _collect(_parser.parse(pattern.pattern, flags & ~re.UNICODE), found)
    for each in COMMON:
        found.setdefault(each)
    chosen = list(found)
    if len(chosen) > MAX_ATOMS:
        step = len(chosen) / MAX_ATOMS
        chosen = [chosen[int(at * step)] for at in range(MAX_ATOMS)]
    return chosen


def _collect(parsed: Any, found: dict[str, None]) -> None:
    word = ""
    for operation, argument in parsed:
        kind = str(operation)
        if kind == "LITERAL":
            word += chr(argument)
            found.setdefault(chr(argument))
            continue
        if len(word) > 1:
            found.setdefault(word)
        word = ""
        if kind == "IN":
            _collect_set(argument, found)
        elif kind == "NOT_LITERAL":
            found.setdefault(chr(argument))
            found.setdefault("a" if argument != ord("a") else "b")
        else:
            for inner in _inner(argument):
                _collect(inner, found)
    if len(word) > 1:
        found.setdefault(word)


def _inner(argument: Any) -> Iterator[Any]:
    """Yield the patterns that an operation contains."""
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, list | tuple):
        for each in argument:
            yield from _inner(each)


SAMPLES = {"SPACE": " \n", "DIGIT": "0", "WORD": "a", "NOT_SPACE": "a", "NOT_DIGIT": "a"}


def _collect_set(members: Any, found: dict[str, None]) -> None:
    for operation, argument in members[:6]:
        kind = str(operation)
        if kind == "LITERAL":
            found.setdefault(chr(argument))
        elif kind == "RANGE":
            found.setdefault(chr(argument[0]))
        elif kind == "CATEGORY":
            for each in SAMPLES.get(str(argument).removeprefix("CATEGORY_"), "!"):
                found.setdefault(each)


def attacks(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield beginnings, what to repeat, and endings."""
    pieces = atoms(pattern)
    for unit in [*pieces, *(one + two for one in pieces for two in pieces if one != two)]:
        starts = ["", *pieces] if len(unit) == 1 else ["", pieces[0]]
        for start in starts:
            for end in ("", "\0", "a\0", "\n!"):
                yield start, unit, end
