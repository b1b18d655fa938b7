"""Who of the staff looked at what, and did what."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from chat.pages.review.door import for_staff, number_in, show
from chat.pages.review.record import page_of_deeds, page_of_record
from chat.review.audit import Look
from chat.review.roles import Role


@require_safe
@for_staff(Role.LEAD, with_reason=False)
def show_record(request: HttpRequest, look: Look) -> HttpResponse:
    """Who looked at what. It holds no word of what was said, so no look at it is recorded."""
    before, reader = (number_in(request, name) for name in ("before", "reader"))
    only_opened = "opened" in request.GET
    context = page_of_record(look, before=before, reader=reader, only_opened=only_opened)
    return show(request, look, "record.html", context)


@require_safe
@for_staff(Role.LEAD, with_reason=False)
def show_deeds(request: HttpRequest, look: Look) -> HttpResponse:
    """Who did what. It holds no word of what was said either."""
    before, actor = (number_in(request, name) for name in ("before", "actor"))
    context = page_of_deeds(look, before=before, actor=actor)
    return show(request, look, "deeds.html", context)
