"""The result of an experiment, and the table of all results."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Outcome:
    """`figure` is in `unit`; of several runs the largest is the worst. `notes` are for the reader."""

    complaints: list[str]
    figure: float
    unit: str
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    experiment: str
    stores: str
    seed: int
    outcome: Outcome

    @property
    def green(self) -> bool:
        return not self.outcome.complaints


def table(runs: Iterable[Run]) -> str:
    """Return a table with one row per experiment and kind of stores."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.experiment, run.stores), []).append(run)
    rows = [("experiment", "stores", "runs", "green", "worst", "seeds that failed")]
    rows += [(*names, *_cells(group)) for names, group in groups.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows]  # noqa: B905
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)


def worst(group: list[Run]) -> str:
    """Return the largest figure of some runs, with its unit."""
    largest = max(group, key=lambda run: run.outcome.figure).outcome
    return f"{largest.figure:,.0f} {largest.unit}"


def _cells(group: list[Run]) -> tuple[str, str, str, str]:
    red = [str(run.seed) for run in group if not run.green]
    counts = str(len(group)), str(len(group) - len(red))
    return *counts, worst(group), ", ".join(red) or "none"


def percentile(values: list[float], percent: int) -> float:
    ordered = sorted(values) or [0.0]
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]
