"""Define rating forms, and decide which of them are about a chat or an answer.

Leads define forms for the groups and websites in their scope; those who review everybody define
them for all. Once a form has ratings, nothing that they refer to changes: a changed question is
retired, and a new one takes its place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.errors import BadRequest, NotFound
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import RatingForm, RatingQuestion, StaffRating
from chat.review.staff.roles import Reviewer

MAX_FORMS = 50
MAX_QUESTIONS = 20
Kind = RatingQuestion.Kind


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """A question as it was entered. `id` is that of the question it was entered for, or None."""

    text: str
    kind: str
    least_label: str = ""
    most_label: str = ""
    labels: list[str] = field(default_factory=list)
    id: int | None = None

    def is_same_as(self, question: RatingQuestion) -> bool:
        return all(getattr(self, name) == getattr(question, name) for name in ENTERED)


ENTERED = ("text", "kind", "least_label", "most_label", "labels")


@dataclass(frozen=True, slots=True)
class RatedSubject:
    """What a rating is about, as it is now: a chat, or one answer of it."""

    owner_id: int
    groups: frozenset[int]
    site_id: int | None
    models: frozenset[str]  # of the answer, or of all answers of the chat


def forms_for(reviewer: Reviewer) -> QuerySet[RatingForm]:
    """Return the forms about people in the reviewer's scope, with those about everybody."""
    if reviewer.groups is None:
        return RatingForm.objects.all()
    theirs = Q(members__in=reviewer.groups) | Q(site__in=reviewer.sites)
    return RatingForm.objects.filter(theirs | Q(members=None, site=None))


def form_of(reviewer: Reviewer, form_id: int) -> RatingForm:
    """Return a form that the reviewer may see. Raise `NotFound`."""
    form = forms_for(reviewer).filter(pk=form_id).first()
    if form is None:
        raise NotFound
    return form


def may_change(reviewer: Reviewer, form: RatingForm) -> bool:
    """Return True if all that the form is about is in the reviewer's scope."""
    if reviewer.groups is None:
        return True
    return form.members in reviewer.groups or form.site in reviewer.sites


def editable_form(reviewer: Reviewer, form_id: int) -> RatingForm:
    form = form_of(reviewer, form_id)
    if not may_change(reviewer, form):
        raise NotFound
    return form


def forms_about(forms: Iterable[RatingForm], subject: RatedSubject) -> list[RatingForm]:
    """Return the enabled ones of these forms that are about the chat or answer."""
    return [each for each in forms if each.is_enabled and _is_about(each, subject)]


def _is_about(form: RatingForm, subject: RatedSubject) -> bool:
    if form.members is not None and form.members not in subject.groups:
        return False
    if form.site is not None and form.site != subject.site_id:
        return False
    return not form.model or form.model in subject.models


def current_questions(form: RatingForm) -> list[RatingQuestion]:
    return list(form.questions.filter(retired_at=None))


def has_ratings(form: RatingForm) -> bool:
    return form.pk is not None and StaffRating.objects.filter(form=form).exists()


@transaction.atomic
def save_form(
    staff_context: StaffContext, form: RatingForm, drafts: Sequence[QuestionDraft]
) -> RatingForm:
    """Save the form with these questions in this order. Raise `BadRequest` or `NotFound`."""
    reviewer = staff_context.reviewer
    if not may_change(reviewer, form):
        raise BadRequest(_("Choose whose chats this form is about."))
    if form.pk is None:
        if RatingForm.objects.count() >= MAX_FORMS:
            raise BadRequest(
                _("The limit of {most} forms has been reached.").format(most=MAX_FORMS)
            )
    else:
        RatingForm.objects.select_for_update().get(pk=form.pk)  # nobody rates with it meanwhile
    form.save()
    _replace_questions(form, drafts)
    record_action(staff_context, StaffAction.Kind.FORMS_CHANGED, detail=form.name)
    return form


def _replace_questions(form: RatingForm, drafts: Sequence[QuestionDraft]) -> None:
    known = {each.pk: each for each in current_questions(form)}
    is_rated = has_ratings(form)
    for position, draft in enumerate(drafts):
        question = known.pop(draft.id, None) if draft.id is not None else None
        if question and (draft.is_same_as(question) or not is_rated):
            _fill(question, draft, position)
            continue
        if question:
            _retire(question)
        replaces = question.pk if question else None
        _fill(RatingQuestion(form=form, replaces=replaces), draft, position)
    for question in known.values():
        if is_rated:
            _retire(question)
        else:
            question.delete()


def _fill(question: RatingQuestion, draft: QuestionDraft, position: int) -> None:
    for name in ENTERED:
        setattr(question, name, getattr(draft, name))
    question.position = position
    question.save()


def _retire(question: RatingQuestion) -> None:
    question.retired_at = timezone.now()
    question.save(update_fields=["retired_at"])


@transaction.atomic
def remove_form(staff_context: StaffContext, form_id: int) -> bool:
    """Delete the form; if it has ratings, turn it off. Return True if it was deleted."""
    form = editable_form(staff_context.reviewer, form_id)
    RatingForm.objects.select_for_update().get(pk=form.pk)
    is_rated = has_ratings(form)
    if is_rated:
        RatingForm.objects.filter(pk=form.pk).update(is_enabled=False)
    else:
        form.delete()
    record_action(staff_context, StaffAction.Kind.FORMS_CHANGED, detail=form.name)
    return not is_rated
