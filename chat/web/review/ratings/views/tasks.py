"""List what staff are to rate."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.review.access_log.staff_context import StaffContext
from chat.review.ratings import tasks
from chat.review.staff.roles import Role
from chat.web.review.http.staff_access import for_staff, number_in, show
from chat.web.review.ratings.presenters import task_rows, task_url


@require_safe
@for_staff()
def show_tasks(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    reviewer = staff_context.reviewer
    whose = request.GET.get("whose", "")
    known = {tasks.MINE, tasks.UNASSIGNED, *([tasks.ALL] if reviewer.role >= Role.LEAD else [])}
    whose = whose if whose in known else tasks.MINE
    after = number_in(request, "from") or 0
    shown, following = tasks.page(reviewer, whose, after)
    context = {
        "whose": whose,
        "rows": task_rows(staff_context, shown),
        "counts": tasks.counts(reviewer),
        "next": following,
        "is_first": not after,
    }
    return show(request, staff_context, "ratings/tasks.html", context)


@require_POST
@for_staff(with_reason=False)
def rate_next(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show the chat of the next task: one's own, or else one that nobody has."""
    task = tasks.next_task(staff_context.reviewer)
    if task is None:
        messages.info(request, _("There is nothing to rate."))
        return redirect("review_tasks")
    return redirect(task_url(task))
