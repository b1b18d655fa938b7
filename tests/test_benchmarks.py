"""`make bench` works; its speed is not tested."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.streams import figures, report, sizes
from benchmarks.streams.answers import Answer, heard
from benchmarks.streams.load import Plan, Run
from benchmarks.streams.marks import now
from benchmarks.streams.pages import PAGES
from benchmarks.streams.upstream import HEAD, chunk, workers_ai_end, workers_ai_event
from tests.support.servers.nginx import BINARY as NGINX
from tests.support.servers.server import ROOT


def answer_of(*numbers: int) -> Answer:
    """Return an answer received in pieces of seven bytes."""
    events = [workers_ai_event(number) for number in numbers] + [workers_ai_end(len(numbers))]
    content = HEAD + b"".join(map(chunk, events)) + b"0\r\n\r\n"
    pieces = [(now(), content[at : at + 7]) for at in range(0, len(content), 7)]
    return Answer(pieces[0][0], pieces)


def test_every_token_is_counted_however_the_stream_is_split() -> None:
    said = heard(answer_of(0, 1, 2))
    assert (said.tokens, said.out_of_order, said.is_whole) == (3, 0, True)
    assert len(said.delays) == 3


def test_a_lost_or_late_token_is_a_problem() -> None:
    plan = Plan(1, 50, 3)
    assert figures.problem_of(plan, Run([answer_of(0, 1, 2)])) == ""
    assert "1 tokens lost" in figures.problem_of(plan, Run([answer_of(0, 1)]))
    assert "2 out of order" in figures.problem_of(plan, Run([answer_of(0, 2, 1)]))


def test_an_incomplete_answer_is_a_problem() -> None:
    answer = answer_of(0, 1, 2)
    del answer.pieces[-1]
    assert "1 of 1 answers failed" in figures.problem_of(Plan(1, 50, 3), Run([answer]))


def test_the_steady_figure_is_the_time_of_the_window_by_its_tokens() -> None:
    answer = answer_of(*range(4))
    begin, end = answer.pieces[0][0], answer.pieces[-1][0] + 1
    run = Run([answer], cpu_seconds=0.5, window=(begin, end), window_cpu_seconds=0.1)
    found = figures.figures_of(Plan(1, 50, 4, window=(0, 1)), run)
    assert found[figures.STEADY_CPU] == pytest.approx(25_000)  # microseconds for each of four
    assert found[figures.TURN_CPU] == pytest.approx(500)


def benchmark(name: str, **settings: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"],
        cwd=ROOT,
        env=kept | settings,
        capture_output=True,
        text=True,
        timeout=590,
    )


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "name",
    [
        "fairness",
        "knowledge",
        "memory",
        "page",
        "personal_data",
        "prepared",
        "processes",
        "review",
        "search",
        "watching",
        "widget",
    ],
)
def test_every_other_benchmark_reaches_its_end(name: str) -> None:
    small = {"MESSAGES": "2000", "REPEATS": "1", "STREAMS": "20", "ROUNDS": "1", "SECONDS": "3"}
    small |= {"PASSAGES": "1000"}
    done = benchmark(name, BENCH="quick", **small)
    assert done.returncode in (0, 1), done.stderr  # 1: slower than it should be, as here it may be
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_smallest_benchmark_loses_nothing_and_fills_every_row(tmp_path: Path) -> None:
    output = tmp_path / "streams.json"
    done = benchmark("streams", SMALL="1", OUTPUT=str(output))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every answer came whole and in order." in done.stdout
    rows = [line.split(" | ")[0].removeprefix("| ") for line in done.stdout.splitlines()]
    for plan in sizes.FULL.plans:
        for figure in report.SHOWN.get(plan, report.OTHERS):
            assert rows.count(f"{plan}: {figure}") == 1
    for page in PAGES:
        assert rows.count(page) == 1
    found = json.loads(output.read_text())["streams"]
    kinds = ("temporary", "stored", "stored without titles")
    assert list(found)[-3:] == [f"ours, {kind}, SQLite" for kind in kinds]
    assert ("nginx" in found) == (NGINX is not None)
    for plans in found.values():
        # On a busy machine a server may get no time at all while it is measured.
        assert plans[sizes.STEADY][0][figures.STEADY_CPU] >= 0
        assert plans[sizes.SHORT][0][figures.TURN_CPU] >= 0
