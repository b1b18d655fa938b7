"""Lead staff to a person, group, model or website by its name.

This shows no chats, so it needs no reason for access; the pages that it leads to may ask for one.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from chat.errors import NotFound
from chat.review import finder
from chat.review.access_log.staff_context import StaffContext
from chat.review.staff import privacy
from chat.web.review.finder.forms import FinderForm
from chat.web.review.finder.presenters import links_by_kind
from chat.web.review.http.staff_access import for_staff, show


@require_safe
@for_staff(with_reason=False, shows_messages=False)
def find(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show what was found; if it is one thing only, go there."""
    reviewer = staff_context.reviewer
    if not finder.kinds_for(reviewer):
        raise NotFound
    form = FinderForm(request.GET)
    text = form.cleaned_data["q"] if form.is_valid() else ""
    found = finder.find(reviewer, text)
    kinds = links_by_kind(reviewer, found)
    links = [each for _name, listed in kinds for each in listed]
    if len(links) == 1:
        return redirect(links[0].url)
    context = {
        "form": form,
        "finder_text": form["q"].value(),  # as typed, in the field
        "text": text,
        "kinds": kinds,
        "is_cut": found.is_cut,
        "sees_names": privacy.sees_names(reviewer),
    }
    return show(request, staff_context, "find.html", context, status=422 if form.errors else 200)
