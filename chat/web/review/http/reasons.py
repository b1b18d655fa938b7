"""Why somebody of the staff looks: said once, and kept in their session for a while."""

import time

from django.conf import settings
from django.http import HttpRequest

from chat.web.review.http.facet_forms import ReasonForm

SESSION_KEY = "review_reason"
#: The field among what somebody posted without a reason: forms have one of the same name.
PREFIX = "look"
REASON_BESIDE = f"{PREFIX}-reason"


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


def reason_beside(request: HttpRequest) -> ReasonForm:
    """The reason as a page asks for it that carries along what was posted: beside all of that."""
    stated = request.POST if REASON_BESIDE in request.POST else None
    return ReasonForm(stated, prefix=PREFIX, initial={"reason": last_reason(request)})
