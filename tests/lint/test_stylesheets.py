"""Each component has one style sheet, whose rules start with its class, and no unused classes."""

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
IN_TEMPLATE = re.compile(r'\sclass="([^"]*)"|block (?:body|sheet)_class %}([^{]+){')
IN_SCRIPT = re.compile(r"""["'`]([^"'`\n]*)["'`]""")


def _id(sheet: Path) -> str:
    return str(sheet.relative_to(FOLDER).with_suffix(""))


def _code(sheet: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)


def _rules(sheet: Path) -> Iterator[tuple[str, bool]]:
    """Yield each selector, and whether it is nested in another rule."""
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
    """Return the names that a sheet's classes start with: `personas`, `persona` for `personas.css`."""
    return (sheet.stem, sheet.stem.removesuffix("s"))


def _is_of(name: str, sheet: Path) -> bool:
    return any(name == each or name.startswith(f"{each}-") for each in _family(sheet))


@cache
def _classes(sheet: Path) -> frozenset[str]:
    return frozenset(name for selector, _ in _rules(sheet) for name in CLASS.findall(selector))


def _home(name: str) -> list[Path]:
    """Return the style sheets with the longest name that matches a class."""
    named = [sheet for sheet in COMPONENTS if _is_of(name, sheet)]
    longest = max((len(sheet.stem) for sheet in named), default=0)
    return [sheet for sheet in named if len(sheet.stem) == longest]


def _roots(sheet: Path) -> Iterator[str]:
    for selector, is_nested in _rules(sheet):
        if not is_nested:
            yield from re.split(r",(?![^(]*\))", selector)


def _used() -> set[str]:
    """Return all words in templates, scripts and the highlighter that may be classes."""
    words: set[str] = set()
    tags = (ROOT / "chat/templatetags").glob("*.py")
    for page in (*(ROOT / "templates").rglob("*.html"), *tags):
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
def test_each_rule_starts_with_the_components_class(sheet: Path) -> None:
    for root in _roots(sheet):
        if root.strip() != ":root":  # where a component sets tokens
            lead = re.match(r"[a-z]*\.([\w-]+)|([a-z]+)$", root.strip())
            assert lead, root
            assert _is_of(lead[1] or lead[2], sheet), root


def test_no_class_is_defined_in_two_style_sheets() -> None:
    """A class belongs to the sheet named after it; any other occurs in one sheet only."""
    for name in set[str]().union(*map(_classes, COMPONENTS)) - _classes(UTILITIES):
        holders = _home(name) or [each for each in COMPONENTS if name in _classes(each)]
        assert len(holders) == 1, f".{name}: {', '.join(map(_id, holders))}"


def test_every_class_is_used() -> None:
    used = _used()
    styled = set[str]().union(*map(_classes, COMPONENTS))
    computed = {name for name in styled if f"{name.rpartition('-')[0]}-" in used}  # `to-${align}`
    assert styled - computed - used == set()


def test_every_style_sheet_is_bundled_and_every_bundle_is_built() -> None:
    imported = {name for bundle in BUNDLES for name in IMPORT.findall(bundle.read_text())}
    assert imported == {str(sheet.relative_to(FOLDER)) for sheet in COMPONENTS}
    made = re.search(r"static/css/, ([^)]*)\)", (ROOT / "Makefile").read_text())
    assert made
    assert set(made[1].split()) == {bundle.name for bundle in BUNDLES}


def test_no_folder_has_too_many_style_sheets() -> None:
    for folder in {sheet.parent for sheet in SHEETS}:
        assert len(list(folder.glob("*.css"))) <= MAX_IN_A_FOLDER, folder


@pytest.mark.parametrize("sheet", SHEETS, ids=_id)
def test_indentation_matches_the_nesting_of_blocks(sheet: Path) -> None:
    depth = 0
    for line in re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL).splitlines():
        if line.strip():
            indented = (len(line) - len(line.lstrip())) // 2
            assert indented >= depth - line.lstrip().startswith("}"), line
        depth += line.count("{") - line.count("}")
    assert depth == 0
