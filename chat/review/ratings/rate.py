"""Store what staff rate. Rating again adds a row; the latest one of a rater counts."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.errors import Forbidden, NotFound
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import (
    WHOLE_CHAT,
    RatingForm,
    RatingQuestion,
    RatingTask,
    StaffRating,
    StaffRatingText,
)
from chat.review.ratings import opinions
from chat.review.ratings.rating_forms import current_questions, form_of, forms_about
from chat.review.ratings.subjects import Subject, subject_of
from chat.review.ratings.tasks import free

#: By question: a score, a list of places in its labels, or a text; None: not answered.
Answers = Mapping[int, int | list[int] | str | None]


class OwnChatRated(Forbidden):
    code = "own_chat_rated"
    text = _("You can't rate your own chats.")


@transaction.atomic
def rate(
    staff_context: StaffContext,
    form_id: int,
    conversation_id: UUID,
    message_id: int | None,
    answers: Answers,
    *,
    is_decision: bool = False,
) -> StaffRating:
    """Store the answers to the form's questions. Raise `NotFound` or `Forbidden`.

    As a decision, it settles a disagreement of others.
    """
    reviewer = staff_context.reviewer
    form = form_of(reviewer, form_id)
    RatingForm.objects.select_for_update().get(pk=form.pk)  # its questions stay meanwhile
    subject = subject_of(staff_context, conversation_id, message_id)
    if subject.facts.owner_id == reviewer.user_id:
        raise OwnChatRated
    if not forms_about([form], subject.facts):
        raise NotFound
    if is_decision and not opinions.may_decide(reviewer, form, subject):
        raise NotFound
    questions = current_questions(form)
    rating = _stored(staff_context, form, subject, _values(questions, answers), is_decision)
    _add_texts(rating, questions, answers)
    if not is_decision:
        _end_task(rating)
    record_action(
        staff_context,
        StaffAction.Kind.RATED,
        person=rating.owner,
        conversation=rating.conversation,
        message=rating.message,
        detail=f"{form.name}: {rating.pk}",
    )
    return rating


def _stored(
    staff_context: StaffContext,
    form: RatingForm,
    subject: Subject,
    values: dict[str, int | list[int]],
    is_decision: bool,
) -> StaffRating:
    facts, conversation = subject.facts, subject.conversation
    model = next(iter(facts.models)) if len(facts.models) == 1 else ""
    return StaffRating.objects.create(
        form=form,
        rater=staff_context.reviewer.user_id,
        conversation=conversation.pk,
        message=subject.message_id,
        answers=values,
        is_decision=is_decision,
        owner=facts.owner_id,
        groups="".join(f" {each}" for each in sorted(facts.groups)) + " ",
        site=facts.site_id,
        persona=conversation.persona_id,
        model=model,
    )


def _values(questions: Iterable[RatingQuestion], answers: Answers) -> dict[str, int | list[int]]:
    values: dict[str, int | list[int]] = {}
    for question in questions:
        answer = answers.get(question.pk)
        if isinstance(answer, int | list):
            values[str(question.pk)] = answer
    return values


def _add_texts(rating: StaffRating, questions: Iterable[RatingQuestion], answers: Answers) -> None:
    texts = [(each.pk, answers.get(each.pk)) for each in questions]
    StaffRatingText.objects.bulk_create(
        StaffRatingText(
            conversation_id=rating.conversation, rating=rating.pk, question=question, text=text
        )
        for question, text in texts
        if isinstance(text, str) and text
    )


def _end_task(rating: StaffRating) -> None:
    """End the rater's own task about this, or one that is free; a second one is for others."""
    tasks = RatingTask.objects.filter(
        form=rating.form_id, conversation=rating.conversation, message=rating.message or WHOLE_CHAT
    )
    if tasks.filter(assignee=rating.rater, done_at__isnull=False).exists():
        return
    waiting = tasks.filter(done_at=None).order_by("turn")
    if task := waiting.filter(assignee=rating.rater).first() or waiting.filter(free()).first():
        still = RatingTask.objects.filter(pk=task.pk, done_at=None)
        still.update(done_at=timezone.now(), assignee=rating.rater)
