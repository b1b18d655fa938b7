"""Write the fault matrix into a document, between two marks."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.chaos import registry
from tests.chaos.outcome import Run, worst

BEGIN, END = "<!-- made by python -m tests.chaos --report -->", "<!-- end of what was made -->"
#: The runs of each experiment with each kind of stores.
Groups = dict[tuple[str, str], list[Run]]
TITLES = {"sqlite": "SQLite", "postgres": "PostgreSQL + Redis"}


def write(document: Path, runs: list[Run], size: str) -> None:
    """Replace the rows of all experiments that were run."""
    before, _, rest = document.read_text().partition(BEGIN)
    table, _, after = rest.partition(END)
    made = matrix(runs, size, known=table.splitlines())
    document.write_text(f"{before}{BEGIN}\n\n{made}\n{END}{after}")


def matrix(runs: Iterable[Run], size: str, known: Sequence[str] = ()) -> str:
    """Return a Markdown table with one row per experiment and one column per kind of stores.

    Experiments that were not run keep their row of `known`.
    """
    groups: Groups = {}
    for run in runs:
        groups.setdefault((run.experiment, run.stores), []).append(run)
    heads = [TITLES[stores] for stores in registry.STORES]
    lines = [
        f"Size {size}, {datetime.now(UTC):%Y-%m-%d}. A cell says how many runs were right, and the worst"
        " figure of them.",
        "",
        f"| fault | {' | '.join(heads)} |",
        "|---|" + "---|" * len(heads),
        *(_known(name, groups, known) or _row(name, groups) for name in registry.EXPERIMENTS),
    ]
    return "\n".join(lines) + "\n"


def _known(name: str, groups: Groups, known: Sequence[str]) -> str | None:
    if any(group[0] == name for group in groups):
        return None
    return next((row for row in known if f"`{name}` |" in row), None)


def _row(name: str, groups: Groups) -> str:
    cells = [_cell(name, each, groups.get((name, each), [])) for each in registry.STORES]
    return f"| {registry.summary(name)}<br>`{name}` | {' | '.join(cells)} |"


def _cell(name: str, stores: str, group: list[Run]) -> str:
    if not registry.suits(name, stores):
        return f"n/a: {registry.why_not(name)}"
    if not group:
        return "not run"
    return f"{sum(run.green for run in group)}/{len(group)}; {worst(group)}"
