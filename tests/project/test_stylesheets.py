"""Each component has one style sheet, which begins with its class; nothing is styled that nobody uses."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

from project.npm.npm_packages import LANGUAGES

ROOT = settings.BASE_DIR
FOLDER = ROOT / "static/css"
SHEETS = sorted(FOLDER.rglob("*.css"))
BUNDLES = sorted(FOLDER.glob("*.css"))
COMPONENTS = [sheet for sheet in SHEETS if sheet.parent != FOLDER]
HIGHLIGHTING = ROOT / "node_modules/@highlightjs/cdn-assets/es"
UTILITIES = FOLDER / "base/utilities.css"
MAX_IN_A_FOLDER = 20

CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
IMPORT = re.compile(r'@import "\./(.+?)";')
IN_TEMPLATE = re.compile(r'\sclass="([^"]*)"|block body_class %}([^{]+){')
IN_SCRIPT = re.compile(r"""["'`]([^"'`\n]*)["'`]""")


def _id(sheet: Path) -> str:
    return str(sheet.relative_to(FOLDER).with_suffix(""))


def _code(sheet: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)


def _rules(sheet: Path) -> Iterator[tuple[str, bool]]:
    """Each selector, and whether it stands inside another rule."""
    blocks: list[str] = []
    for text, mark in re.findall(r"([^{};]*)([{};])", _code(sheet)):
        head = " ".join(text.split())
        if mark == "{":
            is_rule = not head.startswith("@") and "@keyframes" not in " ".join(blocks)
            if is_rule:
                yield head, any(not each.startswith("@") for each in blocks)
            blocks.append(head)
        elif mark == "}":
            blocks.pop()


def _family(sheet: Path) -> tuple[str, ...]:
    """`personas.css` has `personas`, `persona` and what begins with `persona-`."""
    return (sheet.stem, sheet.stem.removesuffix("s"))


def _is_of(name: str, sheet: Path) -> bool:
    return any(name == each or name.startswith(f"{each}-") for each in _family(sheet))


@cache
def _classes(sheet: Path) -> frozenset[str]:
    return frozenset(name for selector, _ in _rules(sheet) for name in CLASS.findall(selector))


def _home(name: str) -> list[Path]:
    """The sheets that are named for a class: of those the ones that name it most exactly."""
    named = [sheet for sheet in COMPONENTS if _is_of(name, sheet)]
    longest = max((len(sheet.stem) for sheet in named), default=0)
    return [sheet for sheet in named if len(sheet.stem) == longest]


def _roots(sheet: Path) -> Iterator[str]:
    for selector, is_nested in _rules(sheet):
        if not is_nested:
            yield from re.split(r",(?![^(]*\))", selector)


def _used() -> set[str]:
    """What templates, scripts and the highlighter's languages call a class, or may."""
    words: set[str] = set()
    for page in (ROOT / "templates").rglob("*.html"):
        for values in IN_TEMPLATE.findall(page.read_text()):
            words.update(re.findall(r"[\w-]+", " ".join(values)))
    scripts = [*(ROOT / "static/js").rglob("*.js"), *(ROOT / "chat/web").rglob("*.py")]
    for script in scripts:
        for value in IN_SCRIPT.findall(script.read_text()):
            words.update(re.findall(r"[\w-]+", value))
    for name in ("core", *(f"languages/{language}" for language in LANGUAGES)):
        code = (HIGHLIGHTING / f"{name}.min.js").read_text()
        found = re.findall(r'"([\w.-]+)"|\b(\w+):', code)
        words.update(f"hljs-{(a or b).partition('.')[0]}" for a, b in found)
    return words


@pytest.mark.parametrize(
    "sheet", [each for each in COMPONENTS if each.parent.name != "base"], ids=_id
)
def test_each_rule_of_a_component_begins_with_its_class(sheet: Path) -> None:
    for root in _roots(sheet):
        if root.strip() != ":root":  # where a component sets tokens
            lead = re.match(r"[a-z]*\.([\w-]+)|([a-z]+)$", root.strip())
            assert lead, root
            assert _is_of(lead[1] or lead[2], sheet), root


def test_no_class_is_defined_in_two_sheets() -> None:
    """A class that a sheet is named for is at home there; any other occurs in one sheet."""
    for name in set[str]().union(*map(_classes, COMPONENTS)) - _classes(UTILITIES):
        holders = _home(name) or [each for each in COMPONENTS if name in _classes(each)]
        assert len(holders) == 1, f".{name}: {', '.join(map(_id, holders))}"


def test_every_class_is_used_by_a_page() -> None:
    used = _used()
    styled = set[str]().union(*map(_classes, COMPONENTS))
    computed = {name for name in styled if f"{name.rpartition('-')[0]}-" in used}  # `to-${align}`
    assert styled - computed - used == set()


def test_every_sheet_is_in_a_bundle_and_every_bundle_is_made() -> None:
    imported = {name for bundle in BUNDLES for name in IMPORT.findall(bundle.read_text())}
    assert imported == {str(sheet.relative_to(FOLDER)) for sheet in COMPONENTS}
    made = re.search(r"static/css/, ([^)]*)\)", (ROOT / "Makefile").read_text())
    assert made
    assert set(made[1].split()) == {bundle.name for bundle in BUNDLES}


def test_no_folder_of_sheets_is_too_full_to_look_through() -> None:
    for folder in {sheet.parent for sheet in SHEETS}:
        assert len(list(folder.glob("*.css"))) <= MAX_IN_A_FOLDER, folder


@pytest.mark.parametrize("sheet", SHEETS, ids=_id)
def test_every_block_is_closed_where_the_next_begins(sheet: Path) -> None:
    depth = 0
    for line in re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL).splitlines():
        if line.strip():
            indented = (len(line) - len(line.lstrip())) // 2
            assert indented >= depth - line.lstrip().startswith("}"), line
        depth += line.count("{") - line.count("}")
    assert depth == 0
