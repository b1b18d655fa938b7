"""Cancel runs, and store what they get. The caller has checked the right."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from chat.evaluation import access
from chat.evaluation.answering import Judged
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun, RunAnswer
from chat.evaluation.problems import NOT_JUDGED
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext

State = EvaluationRun.State


@dataclass(frozen=True, slots=True)
class NextItem:
    """What a run does next: answer an item, or judge the answer that is stored already.

    `item` is None once there is nothing left to do.
    """

    run: EvaluationRun
    item: DatasetItem | None
    answer: RunAnswer | None = None


@transaction.atomic
def cancel(staff_context: StaffContext, run: EvaluationRun) -> None:
    """Let a run end. The answer that is being written is still stored."""
    if end(run.pk, State.CANCELLED):
        detail = f"dataset {run.dataset_id}, run {run.pk}: cancelled"
        record_action(staff_context, StaffAction.Kind.MODELS_EVALUATED, detail=detail)


@transaction.atomic
def delete(staff_context: StaffContext, run: EvaluationRun) -> None:
    detail = f"dataset {run.dataset_id}, run {run.pk} deleted"
    record_action(staff_context, StaffAction.Kind.DATASET_CHANGED, detail=detail)
    run.delete()


def end(run_id: int, state: State, problem: str = "", *, start: int | None = None) -> bool:
    """End a run that is running; return whether it was.

    With `start`, it does nothing to a run that was started again since then.
    """
    rows = EvaluationRun.objects.filter(pk=run_id, state=State.RUNNING)
    if start is not None:
        rows = rows.filter(starts=start)
    return bool(rows.update(state=state, problem=problem, ended_at=timezone.now()))


def next_item(run_id: int, start: int) -> NextItem | None:
    """Return what a running run does next.

    Return None if it isn't running any more, or was started again since this `start`.
    """
    run = EvaluationRun.objects.select_related("dataset").filter(pk=run_id, starts=start).first()
    if run is None or not run.is_running:
        return None
    done = run.answers.exclude(judge_problem=NOT_JUDGED).values("item")
    item = items_for(run).exclude(pk__in=done).first()
    return NextItem(run, item, run.answers.filter(item=item).first() if item else None)


@transaction.atomic
def store(
    run: EvaluationRun,
    item: DatasetItem,
    *,
    text: str = "",
    problem: str = "",
    microdollars: int = 0,
    milliseconds: int | None = None,
) -> None:
    """Store what a run got for an item, unless the item was withdrawn meanwhile.

    An answer that is paid for is stored before the judge is asked, who may fail.
    """
    locked = DatasetItem.objects.select_for_update(no_key=True).filter(pk=item.pk)
    if locked.first() is None or not EvaluationRun.objects.filter(pk=run.pk).exists():
        return
    RunAnswer.objects.update_or_create(
        run=run,
        item_id=item.pk,
        defaults={
            "text": text,
            "problem": problem,
            "microdollars": microdollars,
            "milliseconds": milliseconds,
            "judge_problem": NOT_JUDGED if run.is_judged and not problem else "",
        },
    )


def store_verdict(run: EvaluationRun, item: DatasetItem, judged: Judged) -> None:
    """Store what the judge said of an answer, unless that was withdrawn meanwhile."""
    RunAnswer.objects.filter(run=run.pk, item=item.pk).update(
        probabilities=judged.probabilities,
        judge_microdollars=judged.microdollars,
        judge_problem=judged.problem,
    )


def with_progress(dataset: EvaluationDataset) -> QuerySet[EvaluationRun]:
    """Return a dataset's runs, newest first, with what they have done and cost."""
    there = Q(answers__item__in=access.items_of(dataset).values("pk"))
    failed, unjudged = ~Q(answers__problem=""), ~Q(answers__judge_problem="")
    return dataset.runs.annotate(
        answered=Count("answers", filter=there),
        failed=Count("answers", filter=there & failed & Q(answers__isnull=False)),
        unjudged=Count("answers", filter=there & unjudged & Q(answers__isnull=False)),
        spent=Sum("answers__microdollars", default=0),
        spent_on_judge=Sum("answers__judge_microdollars", default=0),
    )


def items_for(run: EvaluationRun) -> QuerySet[DatasetItem]:
    """Return the items that a run answers."""
    items = access.items_of(run.dataset)
    return items.exclude(answer="") if run.is_of_stored_answers else items
