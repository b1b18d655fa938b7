"""Names mean one thing: glossary terms exist, class names are unique."""

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
DEFINED = re.findall(r"^\| ([^|]+) \|.*\| `([\w.]+)(?::(\w+))?` \|$", GLOSSARY, re.MULTILINE)
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


Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Where a person answers visitors, and where names with `site` are of this installation's settings.
OF_PERSONS = ("chat/conversations/", "chat/inbox/", "chat/web/inbox/", "chat/web/widget/")
OF_THIS_SITE = ("chat/backup/", "chat/review/site_setup/", "chat/site_settings/", "project/")
#: Models, which keep the names of their tables.
SITE_MODELS = {"SiteMember", "SiteNotice", "SitePicture"}


def public_definitions(*kinds: type[Definition]) -> list[tuple[str, str]]:
    """Return file and name of what modules define for others."""
    found = []
    for path in modules():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, kinds) and not node.name.startswith("_"):
                found.append((str(path.relative_to(ROOT)), node.name))
    return found


def words_of(name: str) -> list[str]:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_")


def test_a_person_is_who_answers_visitors() -> None:
    named = public_definitions(*FUNCTIONS, ast.ClassDef)
    named += [(str(path.relative_to(ROOT)), path.stem) for path in modules()]
    persons = [(path, name) for path, name in named if "person" in words_of(name)]
    pages_for_staff = (
        "chat/web/review/people/views/people.py",
        "person",
    )  # their text says so, too
    assert persons
    assert not [
        each for each in persons if not each[0].startswith(OF_PERSONS) and each != pages_for_staff
    ]


def test_a_class_or_file_of_a_widget_site_says_so() -> None:
    named = public_definitions(ast.ClassDef)
    named += [(str(path.relative_to(ROOT)), path.stem) for path in modules()]
    assert not [
        (path, name)
        for path, name in named
        if words_of(name)[0] == "site"
        and name not in SITE_MODELS
        and not path.startswith(OF_THIS_SITE)
    ]


def test_a_function_that_records_says_what() -> None:
    functions = public_definitions(*FUNCTIONS)
    assert "record" not in {name for _, name in functions}
