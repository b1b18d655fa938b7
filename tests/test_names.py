"""Names are unique: glossary terms, classes and files."""

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
DEFINED = re.findall(r"^\| ([^|]+) \|.*\| `([\w.]+)(?::(\w+))?` \|$", GLOSSARY, re.MULTILINE)
#: Names that Django, ASGI or our own layout give to many files.
CONVENTIONAL = frozenset(
    {
        "__init__",
        "models",
        "views",
        "urls",
        "forms",
        "presenters",
        "access",
        "asgi",
        "formats",
        "base",
    }
)
#: The emulator is separate and mirrors another product; Django finds the others by name.
ELSEWHERE = ("chat/emulator/", "chat/management/", "chat/templatetags/", "chat/migrations/")


def modules() -> list[Path]:
    found = [*(ROOT / "chat").rglob("*.py"), *(ROOT / "project").rglob("*.py")]
    return [each for each in found if not str(each.relative_to(ROOT)).startswith(ELSEWHERE)]


def test_the_glossary_has_terms() -> None:
    assert len(DEFINED) >= 30
    assert len({term for term, *_ in DEFINED}) == len(DEFINED)


@pytest.mark.parametrize(("term", "module", "name"), DEFINED)
def test_each_glossary_term_exists_in_the_code(term: str, module: str, name: str) -> None:
    found = import_module(module)
    assert not name or hasattr(found, name), term


def test_public_class_names_are_unique() -> None:
    places = defaultdict(list)
    for path in modules():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(ROOT)))
    models = {"Generation", "Message"}  # what is a model's elsewhere has another name
    assert not {
        name: found for name, found in places.items() if len(found) > 1 and name not in models
    }


def test_file_names_are_unique() -> None:
    places = defaultdict(list)
    for path in modules():
        if path.stem not in CONVENTIONAL:
            places[path.stem].append(str(path.relative_to(ROOT)))
    assert not {name: found for name, found in places.items() if len(found) > 1}
