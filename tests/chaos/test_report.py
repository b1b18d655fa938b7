"""The fault matrix in docs/reliability.md has a row for each experiment, and is made from runs."""

from pathlib import Path

from tests.chaos import registry, report, results
from tests.chaos.outcome import Outcome, Run
from tests.support.servers.server import ROOT

DOCUMENT = ROOT / "docs/reliability.md"


def test_the_document_has_each_experiment() -> None:
    rows = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    for name in registry.EXPERIMENTS:
        assert sum(f"`{name}`" in row for row in rows) == 1, name


def test_each_experiment_says_where_it_has_no_meaning() -> None:
    for name in registry.EXPERIMENTS:
        everywhere = all(registry.suits(name, stores) for stores in registry.STORES)
        assert everywhere == (not registry.why_not(name)), name
        assert registry.summary(name), name


def test_a_table_replaces_the_one_before_it(tmp_path: Path) -> None:
    document = tmp_path / "reliability.md"
    document.write_text(f"Before\n\n{report.BEGIN}\nlast year\n{report.END}\n\nAfter\n")
    runs = [
        Run("same_send_repeated", "sqlite", 1, Outcome([], 7, "ms")),
        Run("same_send_repeated", "sqlite", 2, Outcome(["wrong"], 9, "ms")),
    ]
    report.write(document, runs, "small")
    report.write(document, [Run("rolling_restart", "sqlite", 1, Outcome([], 3, "x"))], "small")
    text = document.read_text()
    assert text.startswith("Before\n")
    assert text.endswith("After\n")
    assert "last year" not in text
    (row,) = [line for line in text.splitlines() if "`same_send_repeated`" in line]
    assert "| 1/2; 9 ms | not run |" in row


def test_runs_of_several_processes_are_kept_in_one_file(tmp_path: Path) -> None:
    file = tmp_path / "not there yet" / "runs.jsonl"
    assert results.read(file) == []
    runs = [
        Run("same_send_repeated", "sqlite", 1, Outcome([], 7, "ms", ["a note"])),
        Run("same_send_repeated", "postgres", 2, Outcome(["wrong\nin two lines"], 9.5, "ms")),
    ]
    for run in runs:
        results.append(file, run)
    assert results.read(file) == runs
