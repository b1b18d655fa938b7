"""Write down each trial at once, and go on from there if a run was interrupted."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from tests.mutants.mutant import Mutant
from tests.mutants.trial import Trial, Verdict

BEGIN, END = "<!-- made by python -m tests.mutants --report -->", "<!-- end of what was made -->"
DEAD = frozenset({Verdict.KILLED, Verdict.TIMED_OUT})
ALIVE = frozenset({Verdict.SURVIVED, Verdict.NOT_REACHED})


class Results:
    """A file with one line of JSON for each trial."""

    def __init__(self, file: Path, *, is_resumed: bool) -> None:
        self._file = file
        self._known: dict[str, dict[str, str]] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        if is_resumed and file.exists():
            lines = (json.loads(line) for line in file.read_text().splitlines())
            self._known = {line["mutant"]: line for line in lines}
        else:
            file.write_text("")

    def earlier(self, mutant: Mutant) -> Trial | None:
        """Return how a mutant died in an earlier run. What survived then is tried again."""
        line = self._known.get(_name(mutant))
        if line is None or line["verdict"] not in DEAD:
            return None
        return Trial(mutant, Verdict(line["verdict"]), by=line["by"])

    def add(self, trial: Trial) -> None:
        line = {"mutant": _name(trial.mutant), "verdict": trial.verdict, "by": trial.by}
        with self._file.open("a") as file:
            file.write(json.dumps(line) + "\n")


def _name(mutant: Mutant) -> str:
    """Return what tells the mutant from others with the same lines."""
    return f"{mutant.edit.start} {mutant}"


def rate(trials: Iterable[Trial]) -> float:
    """Return the share of mutants that were noticed, without those that nobody can notice."""
    counted = [trial.verdict in DEAD for trial in trials if trial.verdict != Verdict.EXPLAINED]
    return sum(counted) / len(counted) if counted else 1.0


def table(trials: Mapping[str, list[Trial]]) -> str:
    """Return a Markdown table with a row for each group of modules."""
    rows = [
        "| modules | tried | killed | of these by the time limit | explained | survived | rate |",
        "|---|---|---|---|---|---|---|",
    ]
    everything = [trial for group in trials.values() for trial in group]
    for name, group in [*trials.items(), ("all", everything)]:
        verdicts = Counter(trial.verdict for trial in group)
        dead, alive = (sum(verdicts[each] for each in kind) for kind in (DEAD, ALIVE))
        cells = [
            name,
            len(group),
            dead,
            verdicts[Verdict.TIMED_OUT],
            verdicts[Verdict.EXPLAINED],
            alive,
        ]
        rows.append(f"| {' | '.join(map(str, cells))} | {rate(group):.0%} |")
    return "\n".join(rows)


def write(document: Path, trials: Mapping[str, list[Trial]], command: str) -> None:
    """Replace the table of a document, between two marks."""
    before, _, rest = document.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    made = f"`{command}`, {datetime.now(UTC):%Y-%m-%d}:\n\n{table(trials)}"
    document.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}")
