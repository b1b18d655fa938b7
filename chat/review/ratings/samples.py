"""Define samples: what is drawn for rating, how often, of what, and for whom."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import RatingForm, RatingSample
from chat.review.ratings.rating_forms import editable_form
from chat.review.search.conversation_search import SENT, ConversationFacets
from chat.review.staff import roles
from chat.review.staff.roles import Reviewer, Role
from chat.review.utc_days import ONE_DAY, today

#: Facets that a sample sets itself: it draws from what was sent on its days.
OWN_FACETS = {"time", "since", "until"}
DAYS_OF_A_WEEK = 7


def days_of(sample: RatingSample, day: date) -> tuple[date, date]:
    """Return the first and the last of the days that a draw on `day` is about."""
    if sample.period == RatingSample.Period.DAY:
        return day - ONE_DAY, day - ONE_DAY
    monday = day - timedelta(days=day.weekday())
    return monday - timedelta(days=DAYS_OF_A_WEEK), monday - ONE_DAY


def samples_of(form: RatingForm) -> QuerySet[RatingSample]:
    return form.samples.select_related("created_by").prefetch_related("raters")


def sample_of(reviewer: Reviewer, form_id: int, sample_id: int) -> RatingSample:
    """Return a sample of a form that the reviewer may change. Raise `NotFound`."""
    form = editable_form(reviewer, form_id)
    sample = samples_of(form).filter(pk=sample_id).first()
    if sample is None:
        raise NotFound
    return sample


@transaction.atomic
def save_sample(
    staff_context: StaffContext, sample: RatingSample, raters: Sequence[User]
) -> RatingSample:
    """Save the sample; it draws with the scope of whoever saved it last.

    A new one draws when the current day or week is over.
    """
    editable_form(staff_context.reviewer, sample.form_id)
    if sample.pk is None:
        _first, sample.drawn_through = days_of(sample, today())
    sample.created_by_id = staff_context.reviewer.user_id
    sample.save()
    sample.raters.set(raters)
    _record(staff_context, sample)
    return sample


@transaction.atomic
def remove_sample(staff_context: StaffContext, form_id: int, sample_id: int) -> None:
    """End the schedule. What it has drawn stays to be rated, unless nothing was."""
    sample = sample_of(staff_context.reviewer, form_id, sample_id)
    if sample.draws.exists():
        RatingSample.objects.filter(pk=sample.pk).update(is_enabled=False)
    else:
        RatingSample.objects.filter(pk=sample.pk).delete()
    _record(staff_context, sample)


def _record(staff_context: StaffContext, sample: RatingSample) -> None:
    detail = f"{sample.form.name}: schedule {sample.pk}"
    record_action(staff_context, StaffAction.Kind.FORMS_CHANGED, detail=detail)


def drawer_of(sample: RatingSample) -> Reviewer | None:
    """Return who the schedule draws for; None if they may not have it any more."""
    reviewer = roles.reviewer_of(sample.created_by) if sample.created_by else None
    return reviewer if reviewer and reviewer.role >= Role.LEAD else None


def drawn_for(form: RatingForm) -> list[tuple[RatingSample, bool]]:
    """Return the samples of a form, and whether each has somebody whom it draws for."""
    samples = list(samples_of(form))
    leads = roles.staff_users(Role.LEAD).filter(pk__in={each.created_by_id for each in samples})
    ids = set(leads.values_list("pk", flat=True))
    return [(each, each.created_by_id in ids) for each in samples]


def stored_facets(facets: ConversationFacets) -> dict[str, Any]:
    """Return the filters of a search as they are stored with a sample."""
    unset = asdict(ConversationFacets())
    return {
        name: value
        for name, value in asdict(facets).items()
        if name not in OWN_FACETS and value != unset[name]
    }


def facets_of(sample: RatingSample) -> ConversationFacets:
    """Return the filters of the sample; what a newer version has added is ignored."""
    known = {name: value for name, value in sample.facets.items() if name in FACET_NAMES}
    if "people" in known:
        known["people"] = tuple(known["people"])
    return replace(ConversationFacets(**known), time=SENT)


FACET_NAMES = frozenset(asdict(ConversationFacets())) - OWN_FACETS
