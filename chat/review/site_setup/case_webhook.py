"""Set where events of cases are sent. The record has the address and not the secret."""

from django.db import transaction
from django.utils import timezone

from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.staff_notices.models import CaseWebhook
from chat.webhooks.signed_post import new_secret


def current() -> CaseWebhook | None:
    return CaseWebhook.objects.first()


@transaction.atomic
def save(staff_context: StaffContext, url: str, *, renews_secret: bool) -> str:
    """Store the address; empty for none. Return the secret if a new one was made.

    Another address gets another secret, so that whoever had the old one can't sign for the new.
    """
    stored = CaseWebhook.objects.select_for_update().first()
    before, secret = (stored.url, stored.secret) if stored else ("", "")
    CaseWebhook.objects.all().delete()
    is_new = bool(url) and (url != before or renews_secret)
    if url:
        secret = new_secret() if is_new else secret
        CaseWebhook.objects.create(url=url, secret=secret, updated_at=timezone.now())
    words = f"{before or '–'} → {url or '–'}{', new secret' if is_new else ''}"
    record_action(staff_context, StaffAction.Kind.SITE_CHANGED, detail=f"case webhook: {words}")
    return secret if is_new else ""
