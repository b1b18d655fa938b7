"""Cancel runs, and store what they get. The caller has checked the right."""

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from chat.evaluation import access
from chat.evaluation.answering import Judged
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun, RunAnswer
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext

State = EvaluationRun.State


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


def end(run_id: int, state: State, problem: str = "") -> bool:
    """End a run that is running; return whether it was."""
    rows = EvaluationRun.objects.filter(pk=run_id, state=State.RUNNING)
    return bool(rows.update(state=state, problem=problem, ended_at=timezone.now()))


def next_item(run_id: int, start: int) -> tuple[EvaluationRun, DatasetItem | None] | None:
    """Return a running run with its next unanswered item.

    Return None if it isn't running any more, or was started again since this `start`.
    """
    run = EvaluationRun.objects.select_related("dataset").filter(pk=run_id, starts=start).first()
    if run is None or not run.is_running:
        return None
    done = run.answers.values("item")
    return run, items_for(run).exclude(pk__in=done).first()


@transaction.atomic
def store(
    run: EvaluationRun,
    item: DatasetItem,
    *,
    text: str = "",
    problem: str = "",
    microdollars: int = 0,
    milliseconds: int | None = None,
    judged: Judged | None = None,
) -> None:
    """Store what a run got for an item, unless the item was withdrawn meanwhile."""
    locked = DatasetItem.objects.select_for_update(no_key=True).filter(pk=item.pk)
    if locked.first() is None or not EvaluationRun.objects.filter(pk=run.pk).exists():
        return
    verdict = judged or Judged()
    RunAnswer.objects.update_or_create(
        run=run,
        item_id=item.pk,
        defaults={
            "text": text,
            "problem": problem,
            "microdollars": microdollars,
            "milliseconds": milliseconds,
            "probabilities": verdict.probabilities,
            "judge_microdollars": verdict.microdollars,
            "judge_problem": verdict.problem,
        },
    )


def with_progress(dataset: EvaluationDataset) -> QuerySet[EvaluationRun]:
    """Return a dataset's runs, newest first, with what they have done and cost."""
    there = Q(answers__item__in=access.items_of(dataset).values("pk"))
    failed = ~Q(answers__problem="")
    return dataset.runs.annotate(
        answered=Count("answers", filter=there),
        failed=Count("answers", filter=there & failed & Q(answers__isnull=False)),
        spent=Sum("answers__microdollars", default=0),
        spent_on_judge=Sum("answers__judge_microdollars", default=0),
    )


def items_for(run: EvaluationRun) -> QuerySet[DatasetItem]:
    """Return the items that a run answers."""
    items = access.items_of(run.dataset)
    return items.exclude(answer="") if run.is_of_stored_answers else items
