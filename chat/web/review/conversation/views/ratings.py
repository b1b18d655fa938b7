"""Save what a staff member rates beside a chat."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.errors import Forbidden
from chat.review.access_log.staff_context import StaffContext
from chat.review.ratings import tasks
from chat.review.ratings.rate import rate as store_rating
from chat.review.ratings.rating_forms import current_questions, form_of
from chat.web.review.conversation.page import conversation_page
from chat.web.review.http.staff_access import for_staff, posted_id
from chat.web.review.ratings.answer_form import AnswerForm
from chat.web.review.ratings.presenters import RatingRequest, place_of, task_url


@require_POST
@for_staff()
def rate(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID, form_id: int
) -> HttpResponse:
    """Save the rating, then show it with those of others, or the next task."""
    rated = form_of(staff_context.reviewer, form_id)
    message_id, is_decision = posted_id(request, "message"), "decision" in request.POST
    form = AnswerForm(request.POST, current_questions(rated), prefix=f"form{rated.pk}")
    if not form.is_valid():
        asked = RatingRequest(rated.pk, is_deciding=is_decision, sent=request.POST)
        return conversation_page(
            request, staff_context, conversation_id, at=message_id, status=422, rating=asked
        )
    try:
        store_rating(
            staff_context,
            rated.pk,
            conversation_id,
            message_id,
            form.answers,
            is_decision=is_decision,
        )
    except Forbidden as refusal:
        messages.error(request, refusal.public)
        return redirect("review_conversation", conversation_id)
    messages.success(request, _("Decision saved.") if is_decision else _("Rating saved."))
    if "next" in request.POST and (task := tasks.next_task(staff_context.reviewer)):
        return redirect(task_url(task))
    return redirect(place_of(conversation_id, message_id, rated.pk))
