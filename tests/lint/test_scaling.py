"""The plan in docs/scaling.md is what its formulas and the measured figures give.

`python -m tests.lint.test_scaling people=3000` prints the plan for other assumptions.
"""

import math
import re
import sys
from collections.abc import Mapping

import pytest

from tests.support.servers.server import ROOT

DOCUMENT = (ROOT / "docs/scaling.md").read_text()
ASSUMED = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", DOCUMENT, re.MULTILINE))
PLANNED = re.findall(
    r"^\| ([^|]+) \| `(\w+)` \| `([^`]+)` \| ([\d.,]+) \|$", DOCUMENT, re.MULTILINE
)
FORMULA = re.compile(r"[\w\s.,+\-*/()]+")
#: Where in docs/performance.md a figure is from: the row, and the column.
MEASURED = {
    "token_us": ("steady: CPU µs per token", 6),
    "token_us_alone": ("steady: CPU µs per token", 3),
    "turn_ms": ("short turn: CPU ms per turn", 6),
    "turn_ms_alone": ("short turn: CPU ms per turn", 3),
    "page_ms": ("/chat/, 50 chats in the list", 2),
    "small_ms": ("login", 2),
    "stream_kb": ("steady: KB per stream", 4),
}


def plan(assumptions: Mapping[str, float]) -> dict[str, float]:
    """Compute all rows of the plan, in order."""
    known: dict[str, float] = dict(assumptions)
    for _what, name, formula, _result in PLANNED:
        assert FORMULA.fullmatch(formula), formula
        known[name] = eval(formula, {"__builtins__": {}, "ceil": math.ceil, "max": max}, known)
    return known


def default() -> dict[str, float]:
    return {name: float(value) for name, value in ASSUMED.items()}


@pytest.mark.parametrize(("name", "result"), [(row[1], row[3]) for row in PLANNED])
def test_each_result_is_computed_correctly(name: str, result: str) -> None:
    assert len(PLANNED) > 15
    assert float(result.replace(",", "")) == pytest.approx(plan(default())[name], rel=0.005)


@pytest.mark.parametrize("name", MEASURED)
def test_measured_figures_are_those_of_performance(name: str) -> None:
    row, column = MEASURED[name]
    table = (ROOT / "docs/performance.md").read_text()
    # The last one: another table explains the rows.
    cells = [line for line in table.splitlines() if line.startswith(f"| {row} |")][-1].split("|")
    assert float(cells[column + 1].split("(")[0].replace(",", "")) == default()[name]


def test_one_core_carries_as_many_people_as_it_says() -> None:
    (people,) = re.findall(r"or (\d+) people who ask", DOCUMENT)
    assert plan(default() | {"people": int(people)})["cores"] == 1
    more = int(people) * 1.05
    assert plan(default() | {"people": more})["cores"] == 2


def test_everything_assumed_is_used() -> None:
    formulas = " ".join(formula for _what, _name, formula, _result in PLANNED)
    assert [name for name in ASSUMED if not re.search(rf"\b{name}\b", formulas)] == []


def test_the_plan_stays_within_the_limits_of_each_process() -> None:
    settings = (ROOT / "docs/settings.md").read_text()
    limits = dict(re.findall(r"^\| `(MAX_\w+)` \| `(\d+)` \|", settings, re.MULTILINE))
    found = plan(default())
    assert found["answers_each"] < int(limits["MAX_RUNNING_ANSWERS"])
    assert found["streams_each"] < int(limits["MAX_OPEN_STREAMS"])


if __name__ == "__main__":
    given = {name: float(value) for name, value in (each.split("=") for each in sys.argv[1:])}
    if unknown := given.keys() - ASSUMED.keys():
        sys.exit(f"unknown: {', '.join(unknown)}. Known: {', '.join(ASSUMED)}")
    computed = plan(default() | given)
    for what, name, _formula, _result in PLANNED:
        print(f"{computed[name]:>12,.2f}  {what}")
