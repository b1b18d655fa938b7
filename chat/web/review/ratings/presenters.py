"""Present rating forms beside a chat, and what staff are to rate."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from chat.review import access
from chat.review.access import BranchReading
from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import WHOLE_CHAT, RatingTask
from chat.review.ratings import tasks
from chat.review.ratings.opinions import Opinions, opinions_on
from chat.review.ratings.rating_forms import forms_about, forms_for
from chat.review.ratings.subjects import Subject, facts_of
from chat.review.staff import privacy
from chat.web.review.ratings.answer_form import AnswerForm


@dataclass(frozen=True, slots=True)
class ShownForm:
    """A rating form beside a chat, with the fields to fill in."""

    opinions: Opinions
    answer_form: AnswerForm
    is_open: bool
    is_deciding: bool


@dataclass(frozen=True, slots=True)
class RatingRequest:
    """What the address asks for: a form to open, or to decide with; or a form as it was sent."""

    form_id: int | None = None
    is_rating: bool = False  # opens the form if there is only one
    is_deciding: bool = False
    sent: Any = None


def ratings_context(
    staff_context: StaffContext, reading: BranchReading, at: int | None, asked: RatingRequest
) -> dict[str, Any]:
    """Return the forms about the answer `at`, or if it is none, about the whole chat."""
    conversation, reviewer = reading.conversation, staff_context.reviewer
    forms = [each for each in forms_for(reviewer) if each.is_enabled]
    if not forms or conversation.owner_id == reviewer.user_id:
        return {"rating_forms": [], "rateable": set()}
    answers = {each.pk for each in reading.part.messages if each.role == "assistant"}
    message_id = at if at in answers else None
    subject = Subject(conversation, message_id, facts_of(conversation, message_id))
    about = forms_about(forms, subject.facts)
    deciding = asked.form_id if asked.is_deciding else None
    return {
        "rated_message": message_id,
        "rateable": answers if about else set(),
        "rating_forms": [
            _shown_form(each, asked, is_only=len(about) == 1)
            for each in opinions_on(reviewer, about, subject, deciding)
        ],
        "rating_tasks": tasks.counts(reviewer),
    }


def _shown_form(opinions: Opinions, asked: RatingRequest, *, is_only: bool) -> ShownForm:
    is_asked = asked.form_id == opinions.form.pk
    is_deciding = asked.is_deciding and is_asked and opinions.may_decide
    answer_form = AnswerForm(
        asked.sent if is_asked else None,
        opinions.questions,
        opinions.decision if is_deciding else opinions.own,
        prefix=f"form{opinions.form.pk}",
    )
    is_open = is_asked or (is_only and asked.is_rating)
    return ShownForm(opinions, answer_form, is_open, is_deciding)


def place_of(conversation_id: UUID, message_id: int | None, form_id: int, query: str = "") -> str:
    """Return the address of the form beside its chat."""
    address = reverse("review_conversation", args=[conversation_id])
    at = f"at={message_id}&" if message_id else ""
    return f"{address}?{at}form={form_id}{query}#rate"


def task_url(task: RatingTask) -> str:
    message_id = None if task.message == WHOLE_CHAT else task.message
    return place_of(task.conversation_id, message_id, task.form_id)


def task_rows(staff_context: StaffContext, shown: Sequence[RatingTask]) -> list[dict[str, Any]]:
    """Return the tasks with the titles of their chats, which are logged."""
    titles = _titles(staff_context, [each.conversation_id for each in shown])
    return [
        {
            "task": each,
            "conversation": titles[each.conversation_id],
            "person": privacy.shown_user(
                staff_context.reviewer, titles[each.conversation_id].owner
            ),
            "url": task_url(each),
            "is_answer": each.message != WHOLE_CHAT,
            "is_mine": each.assignee_id == staff_context.reviewer.user_id,
        }
        for each in shown
        if each.conversation_id in titles
    ]


def _titles(staff_context: StaffContext, ids: Iterable[UUID]) -> dict[UUID, Any]:
    unique = list(dict.fromkeys(ids))
    if not unique:  # so there is nothing to log
        return {}
    return {each.pk: each for each in access.read_titles(staff_context, unique)}


def disagreement_rows(
    staff_context: StaffContext, form: Any, found: Sequence[Any]
) -> list[dict[str, Any]]:
    """Return disagreements about chats that are still there, with their titles."""
    titles = _titles(staff_context, [each.place[0] for each in found])
    questions = {each.pk: each for each in form.questions.all()}
    return [
        {
            "conversation": titles[each.place[0]],
            "is_answer": each.place[1] is not None,
            "raters": len(each.ratings),
            "questions": [questions[pk].text for pk in sorted(each.questions) if pk in questions],
            "url": place_of(each.place[0], each.place[1], form.pk, "&decide=1"),
        }
        for each in found
        if each.place[0] in titles
    ]
