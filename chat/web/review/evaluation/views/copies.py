"""Copy turns of chats, and what cases are about, into datasets."""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from chat.errors import BadRequest, Conflict, NotFound
from chat.evaluation import access
from chat.evaluation.case_copies import copy_case
from chat.evaluation.datasets import copy_turn, may_copy
from chat.evaluation.models import EvaluationDataset
from chat.review.access_log.staff_context import StaffContext
from chat.web.review.http.staff_access import for_staff, posted_id


@require_POST
@for_staff()
def copy_answer(
    request: HttpRequest,
    staff_context: StaffContext,
    conversation_id: uuid.UUID,
    message_id: int,
) -> HttpResponse:
    """Copy an answer with its question, if the chat's owner has agreed."""
    dataset = _dataset(request, staff_context)

    def copy() -> int:
        copy_turn(staff_context, dataset, conversation_id, message_id)
        return 1

    _copied(request, dataset, copy)
    place = reverse("review_conversation", args=[conversation_id])
    return redirect(f"{place}?at={message_id}#m{message_id}")


@require_POST
@for_staff()
def copy_flagged(request: HttpRequest, staff_context: StaffContext, case_id: int) -> HttpResponse:
    """Copy the answers that a case is about."""
    dataset = _dataset(request, staff_context)
    _copied(request, dataset, lambda: copy_case(staff_context, dataset, case_id))
    return redirect("review_dataset", dataset.pk)


def _dataset(request: HttpRequest, staff_context: StaffContext) -> EvaluationDataset:
    """Return the chosen dataset. Raise `NotFound` if they may not use any."""
    chosen = posted_id(request, "dataset")
    if chosen is None or not may_copy(staff_context, request.user):
        raise NotFound
    return access.dataset_of(chosen)


def _copied(request: HttpRequest, dataset: EvaluationDataset, copy: Callable[[], int]) -> None:
    try:
        count = copy()
    except (BadRequest, Conflict) as refusal:
        messages.error(request, refusal.public)
        return
    if not count:
        messages.info(request, _("There is no other answer to copy."))
        return
    words = ngettext(
        "{count} answer was copied into “{name}”.",
        "{count} answers were copied into “{name}”.",
        count,
    )
    messages.success(request, words.format(count=count, name=dataset.name))
