"""Serve one chat for staff to read, and its staff notes."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from chat.review.access import read_file, read_image
from chat.review.access_log.staff_context import StaffContext
from chat.web.http.files.image_file import image_response
from chat.web.http.files.saved_file import file_response
from chat.web.review.conversation.page import conversation_page
from chat.web.review.http.staff_access import for_staff, number_in
from chat.web.review.ratings.presenters import RatingRequest


@require_safe
@for_staff()
def read(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    """Show part of a branch: its end, the messages around `?at=`, or those before `?before=`."""
    before, at, form = (number_in(request, name) for name in ("before", "at", "form"))
    asked = {"is_rating": "rate" in request.GET, "is_deciding": "decide" in request.GET}
    rating = RatingRequest(form, **asked)
    return conversation_page(
        request, staff_context, conversation_id, before=before, at=at, rating=rating
    )


@require_safe
@for_staff()
def image(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID, digest: str
) -> HttpResponse:
    """Show an image of a question. It is loaded only on request, because that is recorded."""
    return image_response(read_image(staff_context, conversation_id, digest))


@require_safe
@for_staff()
def download(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID, file: str
) -> HttpResponse:
    """Send the original of a question's file, which is recorded, too."""
    return file_response(read_file(staff_context, conversation_id, file))
