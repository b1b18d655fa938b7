"""Keep the reason for access in the staff member's session for a limited time."""

import time

from django.conf import settings
from django.http import HttpRequest

from chat.web.review.http.facet_forms import ReasonForm

SESSION_KEY = "review_reason"
#: Prefix of the reason among posted fields, since other forms have a `reason` field too.
PREFIX = "look"
REASON_BESIDE = f"{PREFIX}-reason"


def current_reason(request: HttpRequest) -> str | None:
    """Return the current reason; empty if none is required, None if it is missing or expired."""
    if not settings.REVIEW_REASON_MINUTES:
        return ""
    stored = request.session.get(SESSION_KEY) or {"until": 0}
    return str(stored["reason"]) if stored["until"] > time.time() else None


def keep_reason(request: HttpRequest, reason: str) -> None:
    until = time.time() + settings.REVIEW_REASON_MINUTES * 60
    request.session[SESSION_KEY] = {"reason": reason, "until": until}


def last_reason(request: HttpRequest) -> str:
    """Return the last reason, even if expired, as a suggestion."""
    return str((request.session.get(SESSION_KEY) or {}).get("reason", ""))


def reason_form_for_post(request: HttpRequest) -> ReasonForm:
    """Return the reason form for a page that also carries posted fields; its names are prefixed."""
    stated = request.POST if REASON_BESIDE in request.POST else None
    return ReasonForm(stated, prefix=PREFIX, initial={"reason": last_reason(request)})
