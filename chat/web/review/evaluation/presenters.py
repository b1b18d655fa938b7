"""Present datasets, runs and comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from chat.evaluation import access, comparison, runs
from chat.evaluation.comparison import RunPair
from chat.evaluation.models import BlindVote, DatasetItem, EvaluationDataset, EvaluationRun
from chat.evaluation.problems import words_of
from chat.evaluation.statistics import FEW_ITEMS, Difference
from chat.lib.number_format import format_percent, format_value
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Category
from chat.upstream import available_models

ITEMS_PER_PAGE = 20
Choice = BlindVote.Choice


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What a run got for an item, in words and percentages."""

    text: str
    problem: str
    verdict: list[tuple[str, str]]
    judge_problem: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item with the answers of one or two runs to it."""

    item: DatasetItem
    answers: list[ShownAnswer | None]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A category of the judge: both means, and their difference with its interval."""

    label: str
    first: str
    second: str
    difference: str
    interval: str
    is_clear: bool
    count: int


def dataset_rows() -> QuerySet[EvaluationDataset]:
    """Return all datasets with the numbers of their runs, and of the items that may be used."""
    usable = access.usable(DatasetItem.objects.filter(dataset=OuterRef("pk")).order_by())
    counted = usable.values("dataset").annotate(number=Count("pk")).values("number")
    return EvaluationDataset.objects.annotate(
        run_count=Count("runs"), item_count=Coalesce(Subquery(counted), 0)
    )


def dataset_context(
    staff_context: StaffContext, dataset: EvaluationDataset, after: int | None
) -> dict[str, Any]:
    """Return what the page of a dataset shows; items from chats are logged."""
    shown_runs = list(runs.with_progress(dataset))
    count = access.items_of(dataset).count()
    return {
        "dataset": dataset,
        "count": count,
        "withdrawn": access.withdrawn_count(dataset),
        "runs": [_run_row(each, count) for each in shown_runs],
        "has_running": any(each.is_running for each in shown_runs),
        **items_page(staff_context, dataset, after, []),
    }


def run_context(
    staff_context: StaffContext, run: EvaluationRun, after: int | None
) -> dict[str, Any]:
    counted = runs.with_progress(run.dataset).get(pk=run.pk)
    total = runs.items_for(run).count()
    return {
        "dataset": run.dataset,
        "run": run,
        "row": _run_row(counted, total),
        "model": _model_name(run),
        "temperature": run.parameters.get("temperature"),
        **items_page(staff_context, run.dataset, after, [run]),
    }


def comparison_context(
    staff_context: StaffContext, pair: RunPair, after: int | None
) -> dict[str, Any]:
    votes = comparison.votes_of(pair)
    differences = comparison.differences_of(pair)
    counts = [(_vote_label(pair, each), votes.counts.get(each, 0)) for each in Choice]
    return {
        "dataset": pair.dataset,
        "pair": pair,
        "differences": [_difference_row(name, each) for name, each in differences.items()],
        "has_few": any(each.count < FEW_ITEMS for each in differences.values()),
        "votes": votes,
        "vote_counts": counts,
        "p_value": number_format(votes.p_value, 3),
        "waiting": len(comparison.waiting_items(staff_context, pair)),
        **items_page(staff_context, pair.dataset, after, [pair.first, pair.second]),
    }


def items_page(
    staff_context: StaffContext,
    dataset: EvaluationDataset,
    after: int | None,
    shown_runs: Sequence[EvaluationRun],
) -> dict[str, Any]:
    """Return a page of the items that these runs have done; those from chats are logged."""
    rows = access.items_of(dataset)
    for run in shown_runs:  # those that all of them have an answer for, or a problem
        rows = rows.filter(answers__run=run)
    page = rows.filter(pk__gt=after or 0)[: ITEMS_PER_PAGE + 1]
    ids = list(page.values_list("pk", flat=True))
    items = access.read_items(staff_context, rows.filter(pk__in=ids[:ITEMS_PER_PAGE]))
    answers = [
        {each.item_id: each for each in run.answers.filter(item__in=items)} for run in shown_runs
    ]
    return {
        "items": [
            ItemRow(item, [_shown(of_run.get(item.pk)) for of_run in answers]) for item in items
        ],
        "next": items[-1].pk if len(ids) > ITEMS_PER_PAGE else None,
        "is_first": not after,
    }


def _shown(answer: Any) -> ShownAnswer | None:
    if answer is None:
        return None
    told = sorted((answer.probabilities or {}).items(), key=lambda each: -each[1])
    verdict = [(_category(name), _percent(value)) for name, value in told]
    return ShownAnswer(
        answer.text, str(words_of(answer.problem)), verdict, str(words_of(answer.judge_problem))
    )


def _run_row(run: Any, total: int) -> dict[str, Any]:
    return {
        "run": run,
        "model": _model_name(run),
        "answered": run.answered,
        "failed": run.failed,
        "unjudged": run.unjudged,
        "total": total,
        "problem": words_of(run.problem),
        "cost_usd": (run.spent + run.spent_on_judge) / 1_000_000,
        "estimated_usd": run.estimated_microdollars / 1_000_000,
    }


def _model_name(run: EvaluationRun) -> str:
    if run.is_of_stored_answers:
        return _("Stored answers")
    return available_models.name_of(run.model)


def _vote_label(pair: RunPair, choice: str) -> str:
    labels = {
        Choice.FIRST: pair.first.name,
        Choice.SECOND: pair.second.name,
        Choice.TIE: _("Equally good"),
        Choice.BOTH_BAD: _("Both bad"),
    }
    return labels[Choice(choice)]


def _difference_row(name: str, each: Difference) -> DifferenceRow:
    interval = "–"
    if each.low is not None and each.high is not None:
        interval = _("{low} to {high}").format(low=_points(each.low), high=_points(each.high))
    return DifferenceRow(
        _category(name),
        _percent(each.first),
        _percent(each.second),
        _points(each.difference),
        interval,
        each.is_clear,
        each.count,
    )


def _category(name: str) -> str:
    return str(Category(name).label) if name in Category.values else name


def _percent(share: float) -> str:
    return str(format_value(share, "share"))


def _points(share: float) -> str:
    """Return a difference in percentage points with its sign."""
    sign = "+" if share > 0 else "−" if share < 0 else ""
    return f"{sign}{format_percent(format_value(abs(share) * 100, 'speed'))}"
