"""Deliver notices to staff by mail and webhook, as they choose, if they still are staff."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import translation

from chat.accounts import mail
from chat.accounts.mailed_links import absolute_url
from chat.accounts.preferences import Preferences
from chat.outbox.models import Delivery
from chat.review.staff import roles
from chat.review.staff.roles import Right, Role
from chat.review.staff_notices.models import StaffNotice
from chat.review.staff_notices.notice_list import choices_of
from chat.review.staff_notices.wording import NoticeWording, wording_of
from chat.site_settings import effective
from chat.webhooks import signed_post
from chat.webhooks.signed_post import SignedRequest


def _notice_of(delivery: Delivery) -> StaffNotice | None:
    """Return what to deliver, unless the person may no longer know it."""
    rows = StaffNotice.objects.select_related("person", "alert")
    notice = rows.filter(pk=delivery.content["notice"]).first()
    return notice if notice and _is_theirs(notice) else None


def _is_theirs(notice: StaffNotice) -> bool:
    if notice.due_on:
        return Right.DATA_PROTECTION in roles.rights_of(notice.person)
    if notice.kind == StaffNotice.Kind.UNSENT:
        return Right.AUDIT_LOG in roles.rights_of(notice.person)
    reviewer = roles.reviewer_of(notice.person)
    if reviewer is None:
        return False
    return notice.alert_id is None or reviewer.role is Role.ADMINISTRATOR


def _message(delivery: Delivery) -> EmailMessage | None:
    notice = _notice_of(delivery)
    if not notice or not choices_of(notice.person_id).by_mail:
        return None
    with translation.override(Preferences.of(notice.person).language or settings.LANGUAGE_CODE):
        wording = wording_of(notice)
        context = {
            "what": wording.text,
            "url": _url(wording),
            "site": effective.site_name(),
        }
        text = render_to_string("review/notice_mail.txt", context)
    return mail.message(f"{effective.site_name()}: {wording.text}", text, notice.person.email)


def _request(delivery: Delivery) -> SignedRequest | None:
    """Return our fields, with `text`, which Slack and compatible services show."""
    notice = _notice_of(delivery)
    if not notice or not (choices := choices_of(notice.person_id)).webhook_url:
        return None
    wording = wording_of(notice)
    content = {
        "event": notice.kind,
        "conversation": str(notice.conversation) if notice.is_about_chat else None,
        "url": _url(wording),
        "text": f"{effective.site_name()}: {wording.text} {_url(wording)}",
    }
    return SignedRequest(choices.webhook_url, choices.webhook_secret, content)


def _url(wording: NoticeWording) -> str:
    return absolute_url(wording.path)


MAIL = mail.kind("staff_mail", _message)
WEBHOOK = signed_post.kind("staff_webhook", _request)
