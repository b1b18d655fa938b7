"""Runs that answer datasets, and the outbox that does their steps."""

import asyncio
from collections.abc import Sequence
from typing import Any

from chat.evaluation import datasets
from chat.evaluation.jsonl import NewItem
from chat.evaluation.models import EvaluationDataset, EvaluationRun
from chat.evaluation.work import STEP
from chat.review.access_log.staff_context import StaffContext
from chat.upstream import available_models
from tests.support.outbox import deliver, make_due, waiting
from tests.support.patience import PATIENCE_SECONDS


def add_questions(
    staff_context: StaffContext, dataset: EvaluationDataset, questions: Sequence[str]
) -> None:
    cases = [NewItem([{"role": "user", "content": each}]) for each in questions]
    datasets.add_items(staff_context, dataset, cases)


def new_run(dataset: EvaluationDataset, **values: Any) -> EvaluationRun:
    model = next(iter(available_models.offered_models()))
    usual = {"name": "A run", "model": model, "max_tokens": 200}
    return EvaluationRun(dataset=dataset, **usual | values)


async def finish() -> None:
    """Do what is left of all runs, beside the test's server process, which does that as well."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await waiting())[STEP.name]:
            await make_due()
            await deliver(STEP)
            await asyncio.sleep(0.01)
