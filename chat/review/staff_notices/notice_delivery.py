"""Deliver notices to staff by mail and webhook, if they still are staff."""

import asyncio
import logging

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from chat.accounts import mail
from chat.accounts.preferences import Preferences
from chat.database import threads
from chat.review.staff import roles
from chat.review.staff_notices.models import StaffNotice
from chat.review.staff_notices.notice_list import choices_of
from chat.site_settings import effective
from chat.webhooks.signed_post import signed_post

log = logging.getLogger(__name__)

AT_ONCE = 20


async def deliver_due() -> None:
    """Deliver what is due, all at once. Run every few seconds, by each process."""
    due = await threads.readers.run(_due)
    ours = [notice for notice in due if await threads.writer.run(notice.claim)]
    await asyncio.gather(*map(_deliver, ours))


def _due() -> list[StaffNotice]:
    found = StaffNotice.objects.filter(due_at__lte=Now()).order_by("due_at")
    return list(found.select_related("person")[:AT_ONCE])


async def _deliver(notice: StaffNotice) -> None:
    reviewer = await threads.readers.run(roles.reviewer_of, notice.person)
    choices = await threads.readers.run(choices_of, notice.person_id)
    tries = []
    if reviewer and choices.by_mail and not notice.mailed:
        tries.append(await sync_to_async(_mail, thread_sensitive=False)(notice))
    if reviewer and choices.webhook_url:
        content = _content(notice)
        tries.append(await signed_post(choices.webhook_url, choices.webhook_secret, content))
    if all(tries):
        await threads.writer.run(notice.finish)
    elif notice.was_last_try:
        log.warning("notice %d to staff was given up", notice.pk)


def _mail(notice: StaffNotice) -> bool:
    try:
        if not mail.send(_message(notice)):
            return False
        StaffNotice.objects.filter(pk=notice.pk).update(mailed=True)
        return True
    finally:
        connections.close_all()  # this thread may not be used again


def _message(notice: StaffNotice) -> EmailMessage:
    with translation.override(Preferences.of(notice.person).language or settings.LANGUAGE_CODE):
        what = str(notice.get_kind_display())
        context = {"what": what, "url": _url(notice), "site": effective.site_name()}
        text = render_to_string("review/notice_mail.txt", context)
    return EmailMessage(f"{effective.site_name()}: {what}", text, to=[notice.person.email])


def _content(notice: StaffNotice) -> dict[str, str]:
    """Return the body: ours, with the field `text` that Slack and compatible services show."""
    what = StaffNotice.Kind(notice.kind)
    return {
        "id": str(notice.pk),  # the same for each try
        "event": what.value,
        "conversation": str(notice.conversation),
        "url": _url(notice),
        "created_at": notice.created_at.isoformat(),
        "text": f"{effective.site_name()}: {what.label} {_url(notice)}",
    }


def _url(notice: StaffNotice) -> str:
    path = reverse("review_conversation", args=[notice.conversation])
    return str(settings.SITE_URL).rstrip("/") + path
