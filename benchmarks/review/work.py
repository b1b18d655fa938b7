"""Measure what staff wait for on all messages: trying a rule on past ones, and drawing a sample."""

import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

from django.db import connection

from benchmarks.review.data import MODELS
from benchmarks.search.data import ABSENT
from chat.accounts.models import User
from chat.review.case_models import Rule
from chat.review.cases.dry_run import dry_run
from chat.review.rating_models import RatingForm, RatingSample
from chat.review.ratings import draws
from chat.review.staff.roles import Reviewer, reviewer_of
from chat.review.utc_days import today

DRY_RUN_SECONDS, DRAW_SECONDS = 60, 5
RULES: dict[str, dict[str, Any]] = {
    "words": {"kind": Rule.Kind.WORDS, "text": f"{ABSENT}\nrivers of blood\nmassacre*"},
    "a pattern": {"kind": Rule.Kind.PATTERN, "text": r"(?:kill|stab)s?\s+(?:him|her)"},
    "personal data": {"kind": Rule.Kind.PERSONAL, "data_kinds": "phone iban"},
    "a language": {"kind": Rule.Kind.LANGUAGE, "text": "fi"},
    "a verdict": {"kind": Rule.Kind.VERDICT, "category": "unanswered", "threshold": 90},
}
SAMPLES: dict[str, dict[str, str]] = {
    "answers of a week": {"unit": "answers"},
    "chats of a week": {"unit": "chats"},
    "answers of a week, of a model": {"unit": "answers", "model": MODELS[1]},
}


def measure(lead: User, repeats: int) -> list[str]:
    """Print how long each takes, in seconds; return those above their limit."""
    reviewer = reviewer_of(lead)
    assert reviewer is not None
    passed = []
    print(f"\nWork in seconds: median, slowest of {repeats}; matches, or what was drawn from")
    for name, values in RULES.items():
        passed += _repeated("dry run", name, repeats, DRY_RUN_SECONDS, _tried(reviewer, values))
    for name, about in SAMPLES.items():
        passed += _repeated("draw", name, repeats, DRAW_SECONDS, _drawn(reviewer, about))
    return passed


def _repeated(
    kind: str, name: str, repeats: int, most_seconds: float, run: Callable[[], int]
) -> list[str]:
    seconds, count = [], 0
    for _repeat in range(repeats):
        connection.close()
        began = time.perf_counter()
        count = run()
        seconds.append(time.perf_counter() - began)
    verdict = "ok" if median(seconds) <= most_seconds else "TOO LONG"
    figures = f"{median(seconds):8.2f}{max(seconds):8.2f}{count:9}"
    print(f"  {kind:8}{name:32}{figures}  {verdict}", flush=True)
    return [f"{kind}: {name}"] if verdict == "TOO LONG" else []


def _tried(reviewer: Reviewer, values: dict[str, Any]) -> Callable[[], int]:
    return lambda: dry_run(reviewer, Rule(**values), seconds=float("inf")).matches


def _drawn(reviewer: Reviewer, about: dict[str, str]) -> Callable[[], int]:
    form = RatingForm(model=about.get("model", ""))
    sample = RatingSample(form=form, unit=about["unit"], percent=5)
    last = today() - timedelta(days=1)

    def draw() -> int:
        things = list(draws.population(reviewer, sample, last - timedelta(days=6), last))
        draws.pick(things, "seed", draws.wanted(sample, len(things)))
        return len(things)

    return draw
