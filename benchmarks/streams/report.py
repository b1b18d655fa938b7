"""The tables: medians, and how many times the first column that is."""

import statistics
from collections.abc import Sequence

from benchmarks.streams import figures as f
from benchmarks.streams.pages import PAGES, PageCost
from benchmarks.streams.sizes import BURST, SHORT, STEADY, UNTHROTTLED

#: What is said of each plan; of others than these, `OTHERS`.
SHOWN: dict[str, tuple[str, ...]] = {
    STEADY: (f.STEADY_CPU, f.DELAY_50, f.DELAY_99, f.MEMORY, f.THREADS, f.MEASURING),
    SHORT: (f.TURN_CPU,),
    "1 answer": (f.DELAY_50, f.DELAY_99, f.FIRST_50, f.FIRST_99),
    BURST: (f.FIRST_50, f.FIRST_99, f.DELAY_50, f.DELAY_99, f.COMPLETE),
    UNTHROTTLED: (f.SPEED, f.ALL_CPU, f.MEASURING),
}
OTHERS = (
    f.ALL_CPU,
    f.DELAY_50,
    f.DELAY_99,
    f.FIRST_50,
    f.FIRST_99,
    f.THREADS,
    f.COMPLETE,
    f.MEASURING,
)
#: Of which a multiple says nothing.
PLAIN = {f.THREADS, f.MEASURING, f.COMPLETE}
#: Of each target and plan, the figures of all repeats.
Results = dict[str, dict[str, list[f.Figures]]]
PageResults = dict[str, dict[str, list[PageCost]]]


def streams(results: Results) -> str:
    names = list(results)
    lines = [_row(["", *names]), _row(["---"] * (len(names) + 1))]
    for plan in results[names[0]]:
        for figure in SHOWN.get(plan, OTHERS):
            values = [_median(results[name][plan], figure) for name in names]
            lines.append(_row([f"{plan}: {figure}", *_cells(values, figure)]))
    return "\n".join(lines)


def pages(results: PageResults, bare: Sequence[PageCost]) -> str:
    unit = statistics.median(each.cpu_ms for each in bare)
    databases = list(results)
    heads = [f"CPU ms, {each} (× stock)" for each in databases]
    lines = [_row(["", *heads, "bytes", "bytes as sent"]), _row(["---"] * (len(databases) + 3))]
    lines.append(_row(["a stock view that says ok", f"{unit:.2f} (1)", *[""] * (len(heads) + 1)]))
    for page in PAGES:
        cells = []
        for database in databases:
            cpu = statistics.median(each.cpu_ms for each in results[database][page])
            cells.append(f"{cpu:.2f} ({cpu / max(unit, 1e-9):.1f})")
        last = results[databases[0]][page][-1]
        lines.append(_row([page, *cells, f"{last.size:,}", f"{last.sent:,}"]))
    return "\n".join(lines)


def _median(runs: list[f.Figures], figure: str) -> float:
    return statistics.median(run[figure] for run in runs)


def _cells(values: list[float], figure: str) -> list[str]:
    if figure in PLAIN or not values[0]:
        return [f"{value:,.4g}" for value in values]
    return [f"{_number(value)} ({_number(float(f'{value / values[0]:.2g}'))})" for value in values]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
