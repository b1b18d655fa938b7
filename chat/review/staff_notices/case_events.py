"""Send events of cases to the site's webhook: what happened to which case, and no text of a chat.

The event is stored in the transaction of what happened. What is told of the case is read when it is
sent, so a case that is gone by then is not told of.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from django.urls import reverse

from chat.accounts.mailed_links import absolute_url
from chat.outbox.models import Delivery
from chat.review.case_models import Case, Flag, Severity
from chat.review.staff import privacy
from chat.review.staff_notices.models import CaseWebhook, CaseWebhookAttempt
from chat.site_settings import effective
from chat.webhooks import signed_post
from chat.webhooks.signed_post import SignedRequest

MAX_FLAGS = 100


class CaseEvent(StrEnum):
    """What programs are told of. Like all texts for programs, those of a request are in English."""

    OPENED = "case.opened"
    ASSIGNED = "case.assigned"
    DECIDED = "case.decided"
    ESCALATED = "case.escalated"
    TEST = "case.test"


def emit(event: CaseEvent, case_id: int | None) -> None:
    """Store an event of a case, in the transaction of what happened; None: a test."""
    if CaseWebhook.objects.exists():
        WEBHOOK.add(event=event.value, case=case_id)


def _request(delivery: Delivery) -> SignedRequest | None:
    webhook = CaseWebhook.objects.first()
    event, case_id = CaseEvent(delivery.content["event"]), delivery.content["case"]
    if webhook is None or not privacy.is_reading_allowed():
        return None
    if event is CaseEvent.TEST:
        content = _content(event, None, reverse("review_queue"), "Test event")
        return SignedRequest(webhook.url, webhook.secret, content)
    case = Case.objects.select_related("conversation").filter(pk=case_id).first()
    if case is None:
        return None
    happened = event.removeprefix("case.")
    severity = Severity(case.severity).name.lower()
    content = _content(
        event,
        case.pk,
        reverse("review_conversation", args=[case.chat_id]),
        f"Case {case.pk} {happened} (severity {severity})",
    )
    return SignedRequest(webhook.url, webhook.secret, content | _facts(case, severity))


def _content(event: CaseEvent, case_id: int | None, path: str, words: str) -> dict[str, Any]:
    """Return our fields, with `text`, which Slack and compatible services show."""
    url = absolute_url(path)
    text = f"{effective.site_name()}: {words}. {url}"
    return {"event": event.value, "case": case_id, "url": url, "text": text}


def _facts(case: Case, severity: str) -> dict[str, Any]:
    flags = list(case.flags.select_related("rule").order_by("-pk")[:MAX_FLAGS])
    rules = [each.rule for each in flags if each.rule]
    return {
        "conversation": str(case.chat_id),
        "severity": severity,
        "state": Case.State(case.state).name.lower(),
        "outcome": case.outcome or None,
        "assigned_to": case.assignee_id,
        "sources": _unique(Flag.Source(each.source).name.lower() for each in flags),
        "reasons": _unique(each.reason for each in flags),
        "rules": _unique(each.name for each in rules),
        "categories": _unique(each.category for each in rules),
    }


def _unique(words: Iterable[str]) -> list[str]:
    return sorted({each for each in words if each})


def _attempt(delivery: Delivery) -> CaseWebhookAttempt:
    return CaseWebhookAttempt(event=delivery.content["event"], case=delivery.content["case"])


WEBHOOK = signed_post.kind("case_webhook", _request, _attempt)
