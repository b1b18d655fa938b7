"""What the documents name exists, and what operators use is named in a document.

Links, tests, error codes and dependencies are compared in test_docs.py and test_errors.py.
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import URLPattern, URLResolver, get_resolver

from chat.lib import metrics
from tests.support.servers.server import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/design/*.md")])
DEPLOY = sorted(
    path
    for path in ROOT.glob("deploy/**/*")
    if path.is_file() and path.suffix not in {".py", ".pyc"}
)
NAMING = [*DOCUMENTS, *DEPLOY]
SETTING_ROW = re.compile(r"^\| `([A-Z][A-Z0-9_]+)` \|", re.MULTILINE)
MAKEFILE = (ROOT / "Makefile").read_text()
#: Constants of libcurl, in an example for PHP; of the PostgreSQL image, and of systemd.
FOREIGN = ("CURLOPT_", "CURLINFO_", "POSTGRES_", "AF_", "ANTHROPIC_", "CLAUDE_CODE_")
#: Folders outside the project.
OF_THE_SYSTEM = ("/etc/", "/opt/", "/proc", "/run/", "/srv/", "/tmp/", "/usr/", "/var/", "/dev/")
#: What an operator makes from an example.
OF_THE_OPERATOR = {"deploy/.env"}
#: Written in the chat, and understood by the emulator.
IN_CHAT = {"/help"}
#: Another product's API: tests/emulator/test_docs.py.
EMULATOR = ROOT / "docs/emulator.md"
#: Its paths are below an address that it names once.
FRONT_ENDS = ROOT / "docs/front_ends.md"


def names(path: Path) -> str:
    return str(path.relative_to(ROOT))


def code_in(path: Path) -> Iterator[str]:
    """Yield what a document shows as code; all of a file that is none."""
    text = path.read_text()
    if path.suffix != ".md":
        yield text
        return
    for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def settings() -> set[str]:
    """Return the documented settings; another test compares these with the code."""
    return set(SETTING_ROW.findall((ROOT / "docs/settings.md").read_text()))


@cache
def words_in(*places: str) -> frozenset[str]:
    """Return all words in capitals in these files, except for this one."""
    files = [path for place in places for path in ROOT.glob(place) if path != Path(__file__)]
    assert files
    text = "\n".join(path.read_text() for path in files)
    return frozenset(re.findall(r"\b[A-Z][A-Z0-9_]+\b", text))


def targets() -> set[str]:
    found = re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert found
    return set(found[1].split())


def our_commands() -> set[str]:
    return {path.stem for path in (ROOT / "chat/management/commands").glob("[a-z]*.py")}


@cache
def routes() -> tuple[str, ...]:
    """Return the paths of all routes, with `*` for their parameters."""

    def below(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
        for each in patterns:
            path = prefix + re.sub(r"[\^$\\]", "", str(each.pattern))
            if isinstance(each, URLResolver):
                yield from below(each.url_patterns, path)
            else:
                yield path

    return tuple("/" + placeholders(path) for path in below(get_resolver().url_patterns, ""))


def placeholders(path: str) -> str:
    return re.sub(r"<[^>]*>|\{[^}]*\}|\(\?P<.*?\)|…", "*", path)


def is_route(path: str, *, below: bool) -> bool:
    """Return whether a path, or one that begins with it, exists; `below` another address, too."""
    wanted = placeholders(path).partition("?")[0]
    for route in routes():
        pattern = re.escape(route).replace(r"\*", "[^/]+")
        if re.fullmatch(f"{pattern}/?", wanted) or (
            wanted.endswith("/") and route.startswith(wanted)
        ):
            return True
        if wanted.endswith("*") and fnmatchcase(route, wanted):
            return True
        if below and route.startswith("/w/") and route.endswith(wanted):
            return True
    return False


def paths_in(document: Path) -> set[str]:
    found = {
        path.rstrip('".,')
        for code in code_in(document)
        for path in re.findall(r"(?:^|^GET |^POST |[ (])(/[\w<{.][^\s`,;)]*)", code)
    }
    return {path for path in found - IN_CHAT if not path.startswith(OF_THE_SYSTEM)}


@pytest.mark.parametrize("document", NAMING, ids=names)
def test_names_in_capitals_exist(document: Path) -> None:
    known = settings() | words_in(*CODE)
    known |= {f"{name}_FILE" for name in settings()}
    for code in code_in(document):
        for name in re.findall(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b", code):
            assert name in known or name.startswith(FOREIGN), name


CODE = (
    "chat/**/*.py", "project/**/*.py", "static/**/*.js", "benchmarks/**/*.py", "tests/**/*.py",
    "Makefile", "deploy/Dockerfile", "deploy/compose.yaml",
)  # fmt: skip


@pytest.mark.parametrize("document", NAMING, ids=names)
def test_variables_that_are_set_are_settings(document: Path) -> None:
    known = settings() | {f"{name}_FILE" for name in settings()}
    known |= words_in("Makefile", "benchmarks/**/*.py", "tests/chaos/*.py")
    known |= words_in("deploy/Dockerfile", "deploy/compose.yaml")
    for code in code_in(document):
        for name in re.findall(r"(?:^|[\s`])([A-Z][A-Z0-9_]{2,})=", code):
            assert name in known or name.startswith(FOREIGN), name


@pytest.mark.parametrize("document", [each for each in DOCUMENTS if each != EMULATOR], ids=names)
def test_addresses_exist(document: Path) -> None:
    wrong = [
        path for path in paths_in(document) if not is_route(path, below=document == FRONT_ENDS)
    ]
    assert wrong == []


@pytest.mark.parametrize("document", NAMING, ids=names)
def test_commands_and_targets_exist(document: Path) -> None:
    for code in code_in(document):
        assert set(re.findall(r"manage\.py ([a-z]\w*)", code)) <= set(get_commands())
        of_make = re.findall(r"(?:^|`|&& |RUN |=)make ([a-z][\w-]*+)(?!/)", code, re.MULTILINE)
        assert set(of_make) <= targets()


@pytest.mark.parametrize("document", NAMING, ids=names)
def test_metrics_exist(document: Path) -> None:
    known = set(metrics.registry._names_to_collectors)
    for code in code_in(document):
        for name in re.findall(r"\brunnel_[a-z_]+_(?:total|seconds|bucket|running|open)\b", code):
            assert name in known, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_error_codes_exist(document: Path) -> None:
    found = re.findall(r"\b(?:codes?|[45]\d\d) `([a-z_]+)`", document.read_text())
    known = set(re.findall(r"\d `(\w+)`:", (ROOT / "docs/design/errors.md").read_text()))
    known |= {"error", "reason_required"}
    assert set(found) <= known


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_files_and_folders_exist(document: Path) -> None:
    tops = "chat|project|templates|static|tests|docs|deploy|benchmarks"
    for code in code_in(document):
        for name in re.findall(rf"(?:^|[\s`(\"])((?:{tops})/[\w./-]*)", code):
            path = name.rstrip(".")
            assert (ROOT / path).exists() or path in OF_THE_OPERATOR, name


#: `one` in `file.py`; also `one`, `another` and `a third` in it.
NAMES_IN_A_FILE = re.compile(
    r"`([A-Za-z_][\w.]*)`(?:, `([\w.]+)`)?(?: and `([\w.]+)`)? in (?:the )?`([\w/.]+\.(?:py|m?js))`"
)


@pytest.mark.parametrize("document", sorted(ROOT.glob("docs/**/*.md")), ids=names)
def test_names_are_in_the_file_that_is_said_to_have_them(document: Path) -> None:
    text = " ".join(document.read_text().split())
    for *listed, path in NAMES_IN_A_FILE.findall(text):
        code = "\n".join(file.read_text() for file in code_files() if file.match(path))
        for name in filter(None, listed):
            assert re.search(rf"\b{name.rpartition('.')[2]}\b", code), f"{name} in {path}"


@cache
def code_files() -> tuple[Path, ...]:
    places = ("chat/**/*.py", "project/**/*.py", "static/**/*.js", "tests/**/*.py")
    return tuple(path for place in places for path in ROOT.glob(place))


def text_of(*documents: Path) -> str:
    return "\n".join(path.read_text() for path in documents)


def test_every_command_is_documented() -> None:
    text = text_of(*DOCUMENTS)
    assert {name for name in our_commands() if f"manage.py {name}" not in text} == set()


def test_every_target_of_make_is_documented() -> None:
    text = text_of(*DOCUMENTS)
    missing = {name for name in targets() if not re.search(rf"make {name}\b(?!-)", text)}
    assert missing == set()


def test_every_metric_is_in_the_table_of_operations() -> None:
    table = (ROOT / "docs/operations.md").read_text()
    for name, collector in metrics.registry._names_to_collectors.items():
        if not name.startswith("runnel_") or name != metric_name(collector):
            continue
        labels = ",".join(getattr(collector, "_labelnames", ()))
        assert f"`{name}{{{labels}}}`" in table if labels else f"`{name}`" in table, name


def metric_name(collector: object) -> str:
    """Return the name under which people know a metric."""
    name, kind = getattr(collector, "_name", ""), getattr(collector, "_type", "")
    return f"{name}_total" if kind == "counter" else name
