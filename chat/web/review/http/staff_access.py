"""Check role, two-factor and reason before every staff page.

If a POST needs a reason or sign-in first, the page that asks for it carries the posted fields as
hidden inputs and submits them to the same URL, where they are validated as usual. Nothing is kept
on the server.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.views import redirect_to_login
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from chat.accounts.principals import Principal
from chat.accounts.second_factor import two_factor
from chat.errors import BadRequest, Forbidden, NotAuthenticated, NotFound
from chat.lib.whole_number import whole_number
from chat.review import finder
from chat.review.access_log.staff_context import StaffContext
from chat.review.denied_access import record_denied
from chat.review.live import interventions
from chat.review.staff import privacy
from chat.review.staff.roles import Reviewer, Right, Role, require
from chat.review.staff_notices.notice_list import unread_count
from chat.web.http.typed_responses import PageResponse, render_page
from chat.web.review.http.navigation import staff_navigation
from chat.web.review.http.reason_fields import ActionReasonForm
from chat.web.review.http.reasons import (
    REASON_BESIDE,
    current_reason,
    keep_reason,
    reason_form_for_post,
)

View = Callable[..., HttpResponseBase]
#: A secret is never written into a page; somebody who typed one types it again.
NOT_CARRIED = frozenset({"csrfmiddlewaretoken", REASON_BESIDE, "token", "headers", "client_secret"})


class ReasonRequired(Forbidden):
    code = "reason_required"
    text = _("Enter the reason for access again.")
    keeps_draft = True


def is_posted(request: HttpRequest) -> bool:
    return request.method == "POST"


def for_staff(
    role: Role | Right = Role.REVIEWER,
    *,
    or_right: Right | None = None,
    with_reason: bool = True,
    shows_messages: bool = True,
    is_act: Callable[[HttpRequest], bool] | None = None,
) -> Callable[[View], View]:
    """Decorate a view to receive a `StaffContext`; users below `role`, or without it, get 404.

    Those with the right `or_right` may use it, too.

    With `with_reason`, a reason for access is required and logged. A view that `shows_messages`
    answers 404 where nobody may read them. If `is_act` is true for the request, it also needs a
    reason of its own in the field `reason`, which the view's `StaffContext` then holds.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _sign_in_first(request)
            reviewer = require(request.user, role, or_right)
            if shows_messages:
                privacy.require_reading_allowed()
            if two_factor.is_missing(request.user):
                return two_factor.redirect_to_setup(request)
            reason = current_reason(request)
            if with_reason and reason is None:
                reason = _reason_to_go_on(request, reviewer, kwargs)
                if reason is None:
                    return _reason_first(request, reviewer, reason_form_for_post(request))
            if is_act and is_act(request):
                act = ActionReasonForm(request.POST if "reason" in request.POST else None)
                if not act.is_valid():
                    return _reason_first(request, reviewer, act)
                reason = act.cleaned_data["reason"]
            staff_context = StaffContext(reviewer, reason or "")
            try:
                return view(request, staff_context, *args, **kwargs)
            except NotFound:
                record_denied(staff_context, kwargs)
                raise

        return never_cache(checked)

    return decorate


#: Managing the site and its accounts shows no messages, so it needs no reason for access.
administrators = for_staff(Role.ADMINISTRATOR, with_reason=False, shows_messages=False)
#: Every POST changes something and needs a reason.
acting_administrators = for_staff(
    Role.ADMINISTRATOR, with_reason=False, shows_messages=False, is_act=is_posted
)


def _reason_to_go_on(request: HttpRequest, reviewer: Reviewer, place: dict[str, Any]) -> str | None:
    """Return the reason of the reviewer's current takeover, or the one posted with this request."""
    if taken := interventions.reason_of_takeover(reviewer, place.get("conversation_id")):
        return taken
    form = reason_form_for_post(request)
    if not form.is_valid():
        return None
    keep_reason(request, form.cleaned_data["reason"])
    return str(form.cleaned_data["reason"])


def _reason_first(request: HttpRequest, reviewer: Reviewer, form: Form) -> HttpResponse:
    """Show the page that asks for the reason and then resubmits the posted fields."""
    is_act = isinstance(form, ActionReasonForm)
    if not request.accepts("text/html"):
        raise ReasonRequired(_("Enter a reason.") if is_act else "")
    if request.method != "POST":
        query = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('review_reason')}?{query}")
    form_names = {form.add_prefix(name) for name in form.fields}
    carried = [(name, value) for name, value in _carried(request) if name not in form_names]
    context = {"form": form, "carried": carried, "is_act": is_act, "has_files": bool(request.FILES)}
    return show(request, StaffContext(reviewer), "reason.html", context, status=422)


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    if not request.accepts("text/html"):
        raise NotAuthenticated
    if request.method != "POST":
        return redirect_to_login(request.get_full_path())
    context = {"carried": _carried(request)}
    return render(request, "review/sign_in_required.html", context, status=NotAuthenticated.status)


def _carried(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the posted fields, without files, which a form cannot resubmit."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name not in NOT_CARRIED
        for value in values
    ]


def show(
    request: HttpRequest,
    staff_context: StaffContext,
    template: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> PageResponse:
    """Render a staff page with the context that all of them share."""
    about: dict[str, Any] = {"look": staff_context}
    about["leads"] = staff_context.reviewer.role >= Role.LEAD
    about["unread_notices"] = partial(unread_count, staff_context.reviewer.user_id)
    about["is_administrator"] = staff_context.reviewer.role is Role.ADMINISTRATOR
    about["navigation"] = staff_navigation(request.user)
    about["findable"] = finder.kinds_for(staff_context.reviewer)
    return render_page(request, f"review/{template}", about | context, status=status)


def principal_of_staff(request: HttpRequest, staff_context: StaffContext) -> Principal:
    """Return the principal of a stream, which ends when the staff member loses access."""
    user_id = staff_context.reviewer.user_id
    session_key = request.session.session_key or ""
    return Principal(key=f"staff:{user_id}", user_id=user_id, session_key=session_key)


def allow_connections(response: PageResponse) -> PageResponse:
    """Allow the page's scripts to connect: see chat/middleware/content_security.py."""
    response.watches = True
    return response


def posted_id(request: HttpRequest, name: str) -> int | None:
    """Return the ID in a posted field; None if it has none."""
    return whole_number(request.POST.get(name, ""))


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return the number in the query parameter `name`, or None if absent or empty.

    Raise `BadRequest` if it is not a number, `NotFound` if it is too large for an ID.
    """
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise BadRequest
    if len(text) > 18:
        raise NotFound
    return int(text)
