"""Questions that a website keeps to check its answers with: each has a source that must be cited.

They are run in the background, as deliveries of the outbox.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from chat.accounts.principals import Principal
from chat.database import threads
from chat.errors import ChatError, NotFound
from chat.outbox.deliver import DeliveryKind
from chat.outbox.errors import DeliveryRefused
from chat.outbox.models import Delivery
from chat.website_answers.errors import TooManyCases
from chat.website_answers.models import AnswerCase, CaseSchedule
from chat.website_answers.trial import state_of, try_question
from chat.widget_sites.models import WidgetSite

MAX_CASES = 50  # of a website
LEASE = timedelta(minutes=10)
AT_ONCE = 2
FAILED = "failed"  # as a problem, like the codes of errors


def cases_of(site: WidgetSite) -> list[AnswerCase]:
    """Return a website's cases: those that got worse first, then in the order they were kept."""
    kept = site.answer_cases.order_by("created_at")
    return sorted(kept, key=lambda each: (not each.is_worse, each.is_right is not False))


def count_worse(site: WidgetSite) -> int:
    """Return how many cases of a website were right once and aren't any more."""
    return site.answer_cases.filter(was_right=True, is_right=False).count()


def case_of(site: WidgetSite, case_id: UUID) -> AnswerCase:
    """Return a case of this website. Raise `NotFound`."""
    found = site.answer_cases.filter(pk=case_id).first()
    if found is None:
        raise NotFound
    return found


@transaction.atomic
def keep(site: WidgetSite, question: str, source: str) -> AnswerCase:
    """Keep a question with the source that must be cited. Raise `TooManyCases`."""
    WidgetSite.objects.select_for_update(no_key=True).get(pk=site.pk)
    if site.answer_cases.count() >= MAX_CASES:
        raise TooManyCases
    CaseSchedule.objects.get_or_create(site=site)
    return AnswerCase.objects.create(site=site, question=question, source=source)


@transaction.atomic
def run_all(site: WidgetSite) -> int:
    """Run all cases that aren't waiting already, in the background; return how many."""
    idle = site.answer_cases.select_for_update(no_key=True).filter(is_waiting=False)
    ids = list(idle.values_list("pk", flat=True))
    for pk in ids:
        RUN.add(group=site.pk, case=str(pk))
    site.answer_cases.filter(pk__in=ids).update(is_waiting=True)
    return len(ids)


async def _run(delivery: Delivery) -> None:
    """Run a case, unless it was deleted meanwhile. The website's owner pays for it."""
    found = await threads.readers.run(_case, delivery.content["case"])
    if found is None:
        return
    case, state = found
    owner_id = case.site.owner_id
    principal = Principal(f"user:{owner_id}", owner_id)
    try:
        tried = await try_question(principal, case.site, case.question)
    except ChatError as error:
        await threads.writer.run(_store, case.pk, None, error.code, state)
    except Exception:
        # Each attempt costs what a question costs, so there is no other one.
        await threads.writer.run(_store, case.pk, None, FAILED, state)
        raise DeliveryRefused(FAILED, attempts=1) from None
    else:
        is_right = case.source in tried.cited_sources
        await threads.writer.run(_store, case.pk, is_right, "", state)


def _case(case_id: str) -> tuple[AnswerCase, str] | None:
    """Return a case, and the state that its answer will depend on; None if it is gone."""
    case = AnswerCase.objects.select_related("site").filter(pk=case_id).first()
    return (case, state_of(case.site)) if case else None


def _fail(delivery: Delivery) -> None:
    _store(UUID(delivery.content["case"]), None, FAILED)


def _store(case_id: UUID, is_right: bool | None, problem: str, state: str = "") -> None:
    """Store the result. Without one, the one before stays."""
    stored = AnswerCase.objects.filter(pk=case_id)
    if is_right is None:
        stored.update(is_waiting=False, problem=problem, ran_with=state)
        return
    stored.update(
        is_waiting=False,
        problem="",
        was_right=True if is_right else F("was_right"),
        is_right=is_right,
        ran_at=timezone.now(),
        ran_with=state,
    )


RUN = DeliveryKind("website_case", _run, LEASE, AT_ONCE, _fail)
