"""Let staff find chats, and save searches."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.review.access_log.staff_context import StaffContext
from chat.review.search import saved_searches
from chat.web.review.http.facet_forms import SavedSearchForm
from chat.web.review.http.navigation import first_page
from chat.web.review.http.staff_access import for_staff, show
from chat.web.review.queue.presenters import QUEUE_KEY
from chat.web.review.search.presenters import LIST_KEY, search_context


@require_safe
def show_list(request: HttpRequest) -> HttpResponseBase:
    """Show the list of chats, or to staff who read none, the first of their pages."""
    page = first_page(request.user)
    return redirect(page) if page else _show_list(request)


@for_staff()
def _show_list(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    context = search_context(request, staff_context)
    request.session[LIST_KEY] = context["query"]
    # The list, not the queue, is now where a chat page links back to.
    request.session.pop(QUEUE_KEY, None)
    context["view_form"] = SavedSearchForm(initial={"query": context["query"]})
    status = 422 if context["form"].errors else 200
    return show(request, staff_context, "search.html", context, status=status)


@require_POST
@for_staff(with_reason=False)
def save_search(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Save the current search under a name."""
    form = SavedSearchForm(request.POST)
    query = request.POST.get("query", "")
    if form.is_valid():
        data = form.cleaned_data
        saved_searches.save(
            staff_context.reviewer, data["name"], data["query"], is_shared=data["is_shared"]
        )
        messages.success(request, _("View saved."))
    else:
        messages.error(request, " ".join(str(each[0]) for each in form.errors.values()))
    return redirect(f"/review/?{query}")


@require_POST
@for_staff(with_reason=False)
def search_deletion(
    request: HttpRequest, staff_context: StaffContext, view_id: int
) -> HttpResponse:
    saved_searches.remove(staff_context.reviewer, view_id)
    messages.success(request, _("View deleted."))
    return redirect("review")
