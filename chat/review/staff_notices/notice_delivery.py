"""Deliver notices to staff by mail and webhook, as they choose, if they still are staff."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from chat.accounts import mail
from chat.accounts.preferences import Preferences
from chat.outbox.models import Delivery
from chat.review.staff import roles
from chat.review.staff_notices.models import StaffNotice
from chat.review.staff_notices.notice_list import choices_of
from chat.site_settings import effective
from chat.webhooks import signed_post
from chat.webhooks.signed_post import SignedRequest


def _notice_of(delivery: Delivery) -> StaffNotice | None:
    """Return what to deliver, unless the person has left the staff meanwhile."""
    rows = StaffNotice.objects.select_related("person")
    notice = rows.filter(pk=delivery.content["notice"]).first()
    return notice if notice and roles.reviewer_of(notice.person) else None


def _message(delivery: Delivery) -> EmailMessage | None:
    notice = _notice_of(delivery)
    if not notice or not choices_of(notice.person_id).by_mail:
        return None
    with translation.override(Preferences.of(notice.person).language or settings.LANGUAGE_CODE):
        what = str(notice.get_kind_display())
        context = {"what": what, "url": _url(notice), "site": effective.site_name()}
        text = render_to_string("review/notice_mail.txt", context)
    return EmailMessage(f"{effective.site_name()}: {what}", text, to=[notice.person.email])


def _request(delivery: Delivery) -> SignedRequest | None:
    """Return our fields, with `text`, which Slack and compatible services show."""
    notice = _notice_of(delivery)
    if not notice or not (choices := choices_of(notice.person_id)).webhook_url:
        return None
    what = StaffNotice.Kind(notice.kind)
    content = {
        "event": what.value,
        "conversation": str(notice.conversation),
        "url": _url(notice),
        "text": f"{effective.site_name()}: {what.label} {_url(notice)}",
    }
    return SignedRequest(choices.webhook_url, choices.webhook_secret, content)


def _url(notice: StaffNotice) -> str:
    path = reverse("review_conversation", args=[notice.conversation])
    return str(settings.SITE_URL).rstrip("/") + path


MAIL = mail.kind("staff_mail", _message)
WEBHOOK = signed_post.kind("staff_webhook", _request)
