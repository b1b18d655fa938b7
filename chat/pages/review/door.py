"""What stands before each page of the staff: who they are, and why they look."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from chat.accounts import two_factor
from chat.errors import BadRequest, NotFound
from chat.review import privacy
from chat.review.audit import Look
from chat.review.roles import Role, require

SESSION_KEY = "review_reason"
View = Callable[..., HttpResponseBase]


def for_staff(role: Role = Role.REVIEWER, *, with_reason: bool = True) -> Callable[[View], View]:
    """The view gets a `Look`; for whoever may less than `role` there is nothing.

    Whatever shows what others said asks for a reason, and has it recorded.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            reviewer = require(request.user, role)
            privacy.require_open()
            if two_factor.is_missing(request.user):
                return two_factor.ask(request)
            reason = given_reason(request)
            if with_reason and reason is None:
                query = urlencode({"next": request.get_full_path()})
                return redirect(f"{reverse('review_reason')}?{query}")
            return view(request, Look(reviewer, reason or ""), *args, **kwargs)

        return never_cache(login_required(checked))

    return decorate


#: Accounts are no words of anybody's: looking after them needs no reason.
administrators = for_staff(Role.ADMINISTRATOR, with_reason=False)


def given_reason(request: HttpRequest) -> str | None:
    """Why they look, if they said so lately; empty where nobody has to."""
    if not settings.REVIEW_REASON_MINUTES:
        return ""
    given = request.session.get(SESSION_KEY) or {"until": 0}
    return str(given["reason"]) if given["until"] > time.time() else None


def keep_reason(request: HttpRequest, reason: str) -> None:
    until = time.time() + settings.REVIEW_REASON_MINUTES * 60
    request.session[SESSION_KEY] = {"reason": reason, "until": until}


def last_reason(request: HttpRequest) -> str:
    """What they said last, however long ago: it often is the same again."""
    return str((request.session.get(SESSION_KEY) or {}).get("reason", ""))


def show(
    request: HttpRequest, look: Look, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The page, with what each of them says of whoever looks."""
    about = {"look": look, "leads": look.reviewer.role >= Role.LEAD}
    about["administers"] = look.reviewer.role is Role.ADMINISTRATOR
    return render(request, f"review/{template}", about | context, status=status)


def watching(response: HttpResponse) -> HttpResponse:
    """Scripts of this page ask the site for news: see chat/content_security.py."""
    response.watches = True  # type: ignore[attr-defined]
    return response


def number_in(request: HttpRequest, name: str) -> int | None:
    """A number that the address has after `name`; None without."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise BadRequest
    if len(text) > 18:
        raise NotFound
    return int(text)
