"""Browsers get only a few files of node_modules, which need no others."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from project.npm import npm_files
from project.npm.npm_packages import FOLDERS, LANGUAGES, MODULES

LANGUAGE_LIST = settings.BASE_DIR / "static/js/markdown/languages.js"
#: Each module by itself; a name with a slash at the end stands for the files of a folder.
MODULE_FILES = [
    path + name
    for path in MODULES.values()
    for name in (FOLDERS[path[:-1]][1] if path.endswith("/") else [""])
]
PUBLISHED = {f"{address}/{name}" for address, (_, names) in FOLDERS.items() for name in names}


def test_exactly_the_listed_files_are_published(tmp_path: Path) -> None:
    call_command("collectstatic", interactive=False, verbosity=0)
    root = Path(settings.STATIC_ROOT)
    found = {str(path.relative_to(root)) for path in root.glob("npm/**/*") if path.is_file()}
    assert found == PUBLISHED


@pytest.mark.parametrize(
    "path", ["npm/marked/package.json", "npm/marked/../package.json", "npm/nothing/x.js", "npm/"]
)
def test_other_files_are_not_found(path: str) -> None:
    assert not finders.find(path)


@pytest.mark.parametrize("path", MODULE_FILES)
def test_each_module_exists_and_imports_nothing(path: str) -> None:
    file = Path(finders.find(path) or "")
    assert file.is_file()
    if not path.endswith(".css"):
        code = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)
        code = re.sub(r"^\s*//.*$", "", code, flags=re.MULTILINE)
        assert not re.search(r"^(?:import|export)\b[^;\n]*\bfrom\b", code, re.MULTILINE)


def test_the_script_lists_the_same_languages() -> None:
    listed = re.search(r"const LANGUAGES = \{(.*?)\n\};", LANGUAGE_LIST.read_text(), re.DOTALL)
    assert listed
    assert tuple(re.findall(r"^  (\w+): \[", listed[1], re.MULTILINE)) == LANGUAGES


def test_missing_files_are_reported_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npm_files, "ROOT", tmp_path / "node_modules")
    (error,) = npm_files.NpmFinder().check()
    assert "node_modules/marked/lib/marked.esm.js" in error.msg
    assert "make setup" in (error.hint or "")
