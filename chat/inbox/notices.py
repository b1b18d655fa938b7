"""Notify a site's team of what needs a person, by mail and webhook.

A notice is stored with its cause and delivered by whichever process claims it. It never contains
what was written.
"""

import asyncio
import logging
from datetime import timedelta
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import transaction
from django.db.models import F, QuerySet, Window
from django.db.models.functions import Now, RowNumber
from django.utils import timezone

from chat.conversations import turns
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation, Message, Takeover
from chat.database import threads
from chat.inbox import notice_mail, webhook
from chat.inbox.models import SiteNotice
from chat.widget_sites.models import Visitor, WidgetSite

log = logging.getLogger(__name__)
Kind, Channel = SiteNotice.Kind, SiteNotice.Channel

#: The same chat causes the same notice at most this often.
QUIET = timedelta(hours=1)
#: Notices of a site by mail in that time; visitors could flood its team with more.
MAX_MAILED = 30
#: Of these for one visitor, who could otherwise keep the team from hearing of the others.
MAX_MAILED_OF_VISITOR = 5
#: A visitor whose message is unanswered for this long is waiting.
WAITS_AFTER = timedelta(minutes=2)
KEPT = timedelta(days=1)
AT_ONCE = 20


@transaction.atomic
def add(site: WidgetSite, kind: SiteNotice.Kind, conversation_id: UUID) -> None:
    """Store the notices of a site, in the transaction of their cause."""
    # All processes look for waiting visitors, at times at the same moment.
    Conversation.all_objects.select_for_update(no_key=True).filter(pk=conversation_id).first()
    since = timezone.now() - QUIET
    recent = SiteNotice.objects.filter(site=site, created_at__gt=since)
    is_known = recent.filter(kind=kind, conversation=conversation_id).exists()
    if is_known:
        return
    may_mail = site.notifies_by_mail and _may_mail(recent, conversation_id)
    channels = [Channel.MAIL] if may_mail else []
    channels += [Channel.WEBHOOK] if site.webhook_url else []
    SiteNotice.objects.bulk_create(
        SiteNotice(site=site, kind=kind, channel=each, conversation=conversation_id)
        for each in channels
    )


def _may_mail(recent: QuerySet[SiteNotice], conversation_id: UUID) -> bool:
    mailed = recent.filter(channel=Channel.MAIL)
    visitor = Conversation.all_objects.filter(pk=conversation_id).values("owner")
    theirs = Conversation.all_objects.filter(owner__in=visitor).values("pk")
    of_visitor = mailed.filter(conversation__in=theirs)
    return mailed.count() < MAX_MAILED and of_visitor.count() < MAX_MAILED_OF_VISITOR


def add_for_visitor(user_id: int, kind: SiteNotice.Kind, conversation_id: UUID) -> None:
    """Do the same for the site that this user visits; nothing for members."""
    visitor = Visitor.objects.select_related("site").filter(user=user_id).first()
    if visitor:
        add(visitor.site, kind, conversation_id)


def find_waiting() -> None:
    """Add notices for visitors whom nobody answers, and remove old ones. Run every minute."""
    now = timezone.now()
    held = Takeover.objects.filter(ended_at=None).values("conversation")
    for chat in Conversation.objects.filter(pk__in=held).select_related("owner__visitor__site"):
        last = turns.last_message(chat)
        is_late = last is not None and last.created_at < now - WAITS_AFTER
        if is_late and last and last.role == Message.Role.USER and takeover.current(chat.pk):
            add(chat.owner.visitor.site, Kind.WAITING, chat.pk)
    SiteNotice.objects.filter(created_at__lt=now - KEPT, due_at=None).delete()


async def deliver_due() -> None:
    """Deliver up to `AT_ONCE` due notices in parallel. Each process runs it every few seconds."""
    due = await threads.readers.run(_due)
    ours = [notice for notice in due if await threads.writer.run(notice.claim)]
    await asyncio.gather(*map(_deliver, ours))


def _due() -> list[SiteNotice]:
    """Return one notice of each site, then the second ones: a site may have many, and be slow."""
    found = SiteNotice.objects.filter(due_at__lte=Now(), site__deleted_at=None)
    place = Window(RowNumber(), partition_by=F("site"), order_by="due_at")
    turns_of_sites = found.annotate(place=place).order_by("place", "due_at")
    return list(turns_of_sites.select_related("site__owner")[:AT_ONCE])


async def _deliver(notice: SiteNotice) -> None:
    if notice.channel == Channel.MAIL:
        is_done = await sync_to_async(notice_mail.send, thread_sensitive=False)(notice)
    else:
        is_done = await webhook.send(notice)
    if is_done:
        await threads.writer.run(notice.finish)
    elif notice.was_last_try:
        log.warning("a %s of site %s was given up", notice.channel, notice.site_id)
