"""Helpers for tests of rating forms."""

from typing import Any

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.review.rating_models import (
    RatingForm,
    RatingQuestion,
    RatingSample,
    RatingTask,
    SampleDraw,
    StaffRating,
)
from chat.review.ratings import rating_forms
from chat.review.ratings.rate import rate
from chat.review.ratings.rating_forms import QuestionDraft
from chat.review.staff.roles import Reviewer, reviewer_of
from chat.review.utc_days import today
from tests.review.conftest import staff_context_of

Kind = RatingQuestion.Kind
QUESTIONS = [
    QuestionDraft("How good is it?", Kind.FIVE, "useless", "perfect"),
    QuestionDraft("Topic", Kind.LABEL, labels=["School", "Home"]),
    QuestionDraft("Faults", Kind.LABELS, labels=["Wrong", "Rude", "Long"]),
    QuestionDraft("Why?", Kind.TEXT),
]


def as_reviewer(user: User) -> Reviewer:
    reviewer = reviewer_of(user)
    assert reviewer
    return reviewer


def make_form(lead: User, **facts: Any) -> RatingForm:
    """Return a form with a question of each kind."""
    form = RatingForm(name="Quality", created_by=lead, **facts)
    return rating_forms.save_form(staff_context_of(lead), form, QUESTIONS)


def answer_of(conversation: Conversation) -> int:
    """Return the ID of the chat's only answer."""
    return int(conversation.messages.get(role=Message.Role.ASSISTANT).pk)


def rate_as(
    user: User,
    form: RatingForm,
    conversation: Conversation,
    score: int,
    text: str = "",
    *,
    topic: int = 0,
    faults: tuple[int, ...] = (),
    **options: Any,
) -> StaffRating:
    """Rate the chat's only answer."""
    values = [score, [topic], list(faults), text]
    questions = rating_forms.current_questions(form)
    answers = {each.pk: value for each, value in zip(questions, values, strict=False)}
    return rate(
        staff_context_of(user),
        form.pk,
        conversation.pk,
        answer_of(conversation),
        answers,
        **options,
    )


def make_task(form: RatingForm, conversation: Conversation, rater: User | None) -> RatingTask:
    """Return a task to rate the chat's only answer, as a draw makes it."""
    sample = RatingSample.objects.create(form=form, count=1)
    day = today()
    draw = SampleDraw.objects.create(
        sample=sample, first=day, last=day, seed="x", population=1, available=1, picked=1
    )
    return RatingTask.objects.create(
        form=form,
        draw=draw,
        conversation=conversation,
        message=answer_of(conversation),
        assignee=rater,
    )
