"""Check that what was deleted has gone."""

from collections.abc import Iterator
from dataclasses import asdict

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.generations.deletion.overdue import overdue_deletions

NAME = "Deletion"


def check_deletion(_options: DoctorOptions) -> Iterator[CheckResult]:
    overdue = overdue_deletions()
    facts = asdict(overdue)
    if not overdue.total:
        yield CheckResult(NAME, "ok", "Everything deleted has been removed.", facts=facts)
        return
    counts = ", ".join(f"{count} {what}" for what, count in facts.items() if count)
    message = f"Deleted over an hour ago, but still stored: {counts}."
    advice = "Run manage.py prune. It deletes them, or says which ones fail and why."
    yield CheckResult(NAME, "problem", message, advice, facts)
