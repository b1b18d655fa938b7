"""The documentation matches the code."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from chat.version import VERSION
from tests.support.servers.server import ROOT

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120


def test_the_version_is_the_newest_in_the_changelog() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newest = re.search(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest
    assert newest[1] == version == VERSION


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_documents_work(page: Path) -> None:
    text = page.read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tests_named_in_the_docs_exist(page: Path) -> None:
    for file, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text()):
        assert f"def {name}(" in (ROOT / file).read_text(), f"{file}::{name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_named_in_the_docs_exist(page: Path) -> None:
    for name in re.findall(
        r"`((?:chat|project|static|docs|tests)/[\w/.-]+\.\w+)", page.read_text()
    ):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("listing", ["requirements.txt", "requirements-dev.txt"])
def test_every_dependency_has_a_reason_and_a_pin(listing: str) -> None:
    reasons = (ROOT / "docs" / "dependencies.md").read_text().replace("pytest, -", "pytest-")
    for line in (ROOT / listing).read_text().splitlines():
        if not line or line.startswith(("#", "-r")):
            continue
        name, _, version = line.partition("==")
        assert version, line
        suffix = name.partition("[")[0].removeprefix("pytest")
        assert suffix in reasons, line


def test_every_npm_package_has_a_reason_and_a_pin() -> None:
    reasons = (ROOT / "docs" / "dependencies.md").read_text()
    package = json.loads((ROOT / "package.json").read_text())
    for name, version in (package["dependencies"] | package["devDependencies"]).items():
        assert re.search(rf"^\|.*{re.escape(name)}\b.*\|", reasons, re.MULTILINE), name
        assert re.fullmatch(r"(npm:\w+@)?\d+\.\d+\.\d+", version), name
