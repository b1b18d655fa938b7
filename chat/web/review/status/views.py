"""Show administrators how the site is."""

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from chat.review.access_log.staff_context import StaffContext
from chat.site_status.processes import ThisProcess, this_process
from chat.web.review.http.staff_access import administrators, show
from chat.web.review.status.presenters import sections


@require_safe
async def show_status(request: HttpRequest) -> HttpResponseBase:
    """Show the page. It names no member and no chat, so viewing it is not logged."""
    return await sync_to_async(_show)(request, here=this_process())


@administrators
def _show(
    request: HttpRequest, staff_context: StaffContext, *, here: ThisProcess
) -> HttpResponseBase:
    return show(request, staff_context, "status.html", {"sections": sections(here)})
