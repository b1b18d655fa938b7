"""Start runs, and say before what they cost at most. The caller has checked the right."""

from django.db import transaction
from django.db.models import F, QuerySet

from chat.errors import NotFound
from chat.evaluation.answering import models_of, most_expensive, principal_of_run
from chat.evaluation.errors import NothingToRun, RunInProgress
from chat.evaluation.models import EvaluationDataset, EvaluationRun
from chat.evaluation.problems import NOT_JUDGED
from chat.evaluation.runs import items_for
from chat.evaluation.work import add_step
from chat.knowledge.models import Collection
from chat.quotas import ledger
from chat.quotas.ledger import Estimate
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext

State = EvaluationRun.State


def site_collections() -> QuerySet[Collection]:
    """Return the collections that runs may answer from: the site's.

    A member's own would be shown to all who read the answers.
    """
    listed = Collection.objects.filter(owner=None, website=None, team_website=None)
    return listed.order_by("name", "id")


def check(run: EvaluationRun) -> None:
    """Note what a new run costs at most.

    Raise `NothingToRun`, `UnknownModel`, `QuotaExceeded` or `AllocationExhausted`.

    Nothing is reserved yet: each answer is, just before it is asked for.
    """
    items = list(items_for(run))
    if not items:
        raise NothingToRun
    most = most_expensive(run, items)
    run.estimated_microdollars = most.microdollars
    providers = frozenset(each.provider for each in models_of(run) if each)
    estimate = Estimate(0, 1, most, most, providers, is_message=False)
    ledger.check_limits(principal_of_run(run).payer, estimate)


@transaction.atomic
def start(staff_context: StaffContext, run: EvaluationRun) -> None:
    """Store a new run and let it begin. Raise `RunInProgress` and what `check` raises."""
    _lock(run)
    check(run)
    run.created_by_id = staff_context.reviewer.user_id
    run.has_documents = run.collection_id is not None
    run.save()
    add_step(run.pk, run.starts)
    _record(staff_context, run, run.model or "stored answers")


@transaction.atomic
def resume(staff_context: StaffContext, run: EvaluationRun) -> None:
    """Go on with a run that has ended before its last item, or try again what has failed.

    Raise `RunInProgress`.
    """
    _lock(run)
    rows = EvaluationRun.objects.filter(pk=run.pk).exclude(state=State.RUNNING)
    if not rows.update(state=State.RUNNING, problem="", ended_at=None, starts=F("starts") + 1):
        raise RunInProgress
    run.refresh_from_db()
    run.answers.exclude(problem="").delete()
    run.answers.exclude(judge_problem="").update(judge_problem=NOT_JUDGED)
    add_step(run.pk, run.starts)
    _record(staff_context, run, "resumed")


def _lock(run: EvaluationRun) -> None:
    """Lock the dataset, of which one run goes on at a time."""
    if EvaluationDataset.objects.select_for_update().filter(pk=run.dataset_id).first() is None:
        raise NotFound
    if EvaluationRun.objects.filter(dataset=run.dataset_id, state=State.RUNNING).exists():
        raise RunInProgress


def _record(staff_context: StaffContext, run: EvaluationRun, what: str) -> None:
    detail = f"dataset {run.dataset_id}, run {run.pk}: {what}"
    record_action(staff_context, StaffAction.Kind.MODELS_EVALUATED, detail=detail)
