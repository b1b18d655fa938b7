"""Export a dataset, or the answers of a run, as JSON lines. What is from chats is logged."""

from collections.abc import Iterator
from typing import Any

from chat.evaluation import access
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun, RunAnswer
from chat.lib import json_lines
from chat.review.access_log.staff_context import Kind, StaffContext
from chat.review.staff.roles import Right

ITEMS_AT_ONCE = 50


def dataset_lines(staff_context: StaffContext, dataset: EvaluationDataset) -> Iterator[bytes]:
    """Yield the items; those that aren't from chats can be uploaded as they are."""
    for items in _pages(staff_context, dataset):
        yield json_lines.lines(_item(each) for each in items)


def answer_lines(staff_context: StaffContext, run: EvaluationRun) -> Iterator[bytes]:
    """Yield the items with what the run got for each."""
    for items in _pages(staff_context, run.dataset):
        answers = {each.item_id: each for each in run.answers.filter(item__in=items)}
        yield json_lines.lines(
            _item(each) | _answer(run, answers[each.pk]) for each in items if each.pk in answers
        )


def _pages(staff_context: StaffContext, dataset: EvaluationDataset) -> Iterator[list[DatasetItem]]:
    last = 0
    while True:
        staff_context = staff_context.renewed(Right.EVALUATION)
        page = access.items_of(dataset).filter(pk__gt=last)[:ITEMS_AT_ONCE]
        items = access.read_items(staff_context, page, Kind.EXPORTED)
        if not items:
            return
        last = items[-1].pk
        yield items


def _item(item: DatasetItem) -> dict[str, Any]:
    return {
        "item": item.pk,
        "messages": item.messages,
        "expected": item.expected,
        "answer": item.answer,
        "answered_by": item.answered_by,
        "from_chat": item.person_id is not None,
    }


def _answer(run: EvaluationRun, answer: RunAnswer) -> dict[str, Any]:
    return {
        "run": run.name,
        "model": run.model,
        "run_answer": answer.text,
        "problem": answer.problem,
        "verdict": answer.probabilities,
        "cost_usd": (answer.microdollars + answer.judge_microdollars) / 1_000_000,
        "milliseconds": answer.milliseconds,
    }
