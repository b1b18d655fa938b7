"""Write what the tests have shown about each program into a document, between two marks."""

from collections.abc import Collection, Generator
from pathlib import Path

import pytest

from tests.interop.programs import COLUMNS, FAILED, PROGRAMS, YES

BEGIN, END = "<!-- made by python -m tests.interop --report -->", "<!-- end of what was made -->"
#: By program and ability: what each test of it has shown.
Shown = dict[tuple[str, str], set[str]]


class Recorder:
    """A plugin for pytest that notes what tests with the marks of `programs.py` have shown.

    Only tests of the programs in `only` are run, or all if it is empty.
    """

    def __init__(self, only: Collection[str] = ()) -> None:
        self.shown: Shown = {}
        self._only = only

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._only:
            items[:] = [each for each in items if _program_of(each) in self._only]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        name = _program_of(item)
        if name and (report.when == "call" or not report.passed):
            for mark in item.iter_markers("shows"):
                for ability in mark.args:
                    cell = mark.kwargs["cell"] if report.passed else FAILED
                    self.shown.setdefault((name, ability), set()).add(cell)
        return report


def _program_of(item: pytest.Item) -> str:
    mark = item.get_closest_marker("runs")
    return str(mark.args[0]) if mark else ""


def write(document: Path, shown: Shown) -> None:
    """Replace the table. Programs that were not run keep their row."""
    before, _, rest = document.read_text().partition(BEGIN)
    known, _, after = rest.partition(END)
    document.write_text(f"{before}{BEGIN}\n\n{table(shown, known)}\n{END}{after}")


def table(shown: Shown, known: str = "") -> str:
    rows = {row.split(" | ")[0].strip("| "): row for row in known.splitlines()}
    were_run = {name for name, _ability in shown}
    lines = [
        f"| program | package | {' | '.join(COLUMNS.values())} |",
        "|---|---|" + "---|" * len(COLUMNS),
    ]
    for each in PROGRAMS:
        cells = [_cell(shown.get((each.name, ability), set())) for ability in COLUMNS]
        made = f"| {each.name} | {each.package} {each.version} | {' | '.join(cells)} |"
        lines.append(made if each.name in were_run else rows.get(each.name, made))
    return "\n".join(lines) + "\n"


def _cell(cells: set[str]) -> str:
    """Return the worst of what tests have shown, or a dash if none has tried it."""
    if FAILED in cells:
        return FAILED
    return ", ".join(sorted(cells - {YES})) or (YES if cells else "–")
