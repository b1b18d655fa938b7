"""Notify a site's team of what needs a person, by mail and webhook.

Deliveries are stored with their cause, one for each person. They never contain what was written.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from chat.conversations import turns
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation, Message, Takeover
from chat.database.housekeeping import delete_all, isolated
from chat.inbox import notice_delivery
from chat.inbox.models import SiteNotice
from chat.widget_sites.models import Visitor, WidgetSite
from chat.widget_sites.team import people_of

Kind = SiteNotice.Kind

#: The same chat causes the same notice at most this often.
QUIET = timedelta(hours=1)
#: Notices of a site by mail in that time; visitors could flood its team with more.
MAX_MAILED = 30
#: Of these for one visitor, who could otherwise keep the team from hearing of the others.
MAX_MAILED_OF_VISITOR = 5
#: A visitor whose message is unanswered for this long is waiting.
WAITS_AFTER = timedelta(minutes=2)


@transaction.atomic
def add(site: WidgetSite, kind: SiteNotice.Kind, conversation_id: UUID) -> None:
    """Store the notices of a site, in the transaction of their cause."""
    # All processes look for waiting visitors, at times at the same moment.
    Conversation.all_objects.select_for_update(no_key=True).filter(pk=conversation_id).first()
    since = timezone.now() - QUIET
    recent = SiteNotice.objects.filter(site=site, created_at__gt=since)
    if recent.filter(kind=kind, conversation=conversation_id).exists():
        return
    may_mail = site.notifies_by_mail and _may_mail(recent, conversation_id)
    if not may_mail and not site.webhook_url:
        return
    SiteNotice.objects.create(
        site=site, kind=kind, conversation=conversation_id, is_mailed=may_mail
    )
    content: dict[str, Any] = {"event": str(kind), "conversation": str(conversation_id)}
    for person in people_of(site) if may_mail else ():
        notice_delivery.MAIL.add(group=site.pk, recipient=person.pk, **content)
    if site.webhook_url:
        notice_delivery.WEBHOOK.add(group=site.pk, **content)


def _may_mail(recent: QuerySet[SiteNotice], conversation_id: UUID) -> bool:
    mailed = recent.filter(is_mailed=True)
    visitor = Conversation.all_objects.filter(pk=conversation_id).values("owner")
    theirs = Conversation.all_objects.filter(owner__in=visitor).values("pk")
    of_visitor = mailed.filter(conversation__in=theirs)
    return mailed.count() < MAX_MAILED and of_visitor.count() < MAX_MAILED_OF_VISITOR


def add_for_visitor(user_id: int, kind: SiteNotice.Kind, conversation_id: UUID) -> None:
    """Do the same for the site that this user visits; nothing for members."""
    visitor = Visitor.objects.select_related("site").filter(user=user_id).first()
    if visitor:
        add(visitor.site, kind, conversation_id)


def add_for_person(
    site: WidgetSite, kind: SiteNotice.Kind, conversation_id: UUID, person_id: int
) -> None:
    """Mail one person in the team about a chat, in the transaction of the cause.

    Colleagues are the cause, so these don't count towards the limits. The webhook gets none: it
    tells of what visitors need.
    """
    if site.notifies_by_mail:
        content: dict[str, Any] = {"event": str(kind), "conversation": str(conversation_id)}
        notice_delivery.MAIL.add(group=site.pk, recipient=person_id, **content)


def find_waiting() -> None:
    """Add notices for visitors whom nobody answers. Run every minute."""
    now = timezone.now()
    held = Takeover.objects.filter(ended_at=None).values("conversation")
    for chat in Conversation.objects.filter(pk__in=held).select_related("owner__visitor__site"):
        with isolated("waiting_visitor", chat.pk):
            last = turns.last_message(chat)
            is_late = last is not None and last.created_at < now - WAITS_AFTER
            if is_late and last and last.role == Message.Role.USER and takeover.current(chat.pk):
                add(chat.owner.visitor.site, Kind.WAITING, chat.pk)


def remove_old() -> None:
    """Remove notices that no longer count against the limits. Run every minute."""
    delete_all(SiteNotice.objects.filter(created_at__lt=timezone.now() - QUIET))
