"""The table of programs in docs/api.md names those that are tested, with their locked versions."""

import re
from pathlib import Path

from tests.interop import report
from tests.interop.client_table import CLIENTS
from tests.interop.programs import COLUMNS, PROGRAMS
from tests.support.api.coding_agents import CODING_AGENTS
from tests.support.servers.server import ROOT

DOCUMENT = ROOT / "docs/api.md"
NAMES = [each.name for each in PROGRAMS]


def rows(text: str) -> list[list[str]]:
    made = text.partition(report.BEGIN)[2].partition(report.END)[0]
    lines = [line for line in made.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_document_has_each_program_with_its_version_and_no_failure() -> None:
    found = rows(DOCUMENT.read_text())
    assert [row[:2] for row in found] == [
        [each.name, f"{each.package} {each.version}"] for each in PROGRAMS
    ]
    for name, _package, *cells in found:
        assert len(cells) == len(COLUMNS)
        assert set(cells) <= {"yes", "no", "repeats", "–"}, name
        assert "yes" in cells, name


def test_each_program_is_one_that_tests_run() -> None:
    files = [path.read_text() for path in Path(__file__).parent.glob("test_*.py")]
    marked = {name for text in files for name in re.findall(r'\bruns\(\s*"([^"]+)"\)', text)}
    assert {*marked, *(each.name for each in [*CLIENTS, *CODING_AGENTS])} == set(NAMES)


def test_a_table_replaces_the_rows_of_programs_that_were_run(tmp_path: Path) -> None:
    document = tmp_path / "api.md"
    document.write_text(f"Before\n\n{report.BEGIN}\nlast year\n{report.END}\n\nAfter\n")
    report.write(document, {("llm", "text"): {"yes"}, ("llm", "cut"): {"yes", report.FAILED}})
    report.write(document, {("aider", "broken"): {"yes", "no"}})
    text = document.read_text()
    assert text.startswith("Before\n")
    assert text.endswith("After\n")
    assert "last year" not in text
    cells = {row[0]: row[2:] for row in rows(text)}
    assert (cells["llm"][0], cells["llm"][1], cells["llm"][-1]) == ("yes", "–", "FAILED")
    assert cells["aider"][-2] == "no"
