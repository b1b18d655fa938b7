"""Visitors' chats are deleted after the site's retention period."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.generations.deletion import purge
from chat.generations.process import server_process
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.support.database.retention import announced_long_ago, apply_retention
from tests.support.wait_for import until


def said(owner: User, days_ago: float) -> Conversation:
    """Create a conversation with two messages that was last used so many days ago."""
    moment = timezone.now() - timedelta(days=days_ago)
    conversation = Conversation.objects.create(owner=owner, updated_at=moment)
    question = Message.objects.create(conversation=conversation, role="user", text="Hello")
    Message.objects.create(conversation=conversation, role="assistant", parent=question)
    return conversation


def sweep() -> None:
    apply_retention()
    assert all(purge.steps())


def test_only_chats_older_than_the_retention_period_are_deleted(alice: User) -> None:
    month = WidgetSite.objects.create(owner=alice, name="Month", retention_days=30)
    week = WidgetSite.objects.create(owner=alice, name="Week", retention_days=7)
    ever = WidgetSite.objects.create(owner=alice, name="Ever")
    kept, gone = [said(alice, 1000)], []
    for site, days in ((month, 30), (week, 7), (ever, 100_000)):
        user = visitors.make(site).user
        kept.append(said(user, min(days, 400) - 0.01))
        if site is not ever:
            gone.append(said(user, days + 0.01))
    sweep()
    left = set(Conversation.all_objects.values_list("pk", flat=True))
    assert left == {each.pk for each in kept}
    assert Message.objects.count() == 2 * len(kept)


async def nothing_is_left() -> bool:
    return not await Conversation.all_objects.aexists()


async def test_a_server_process_applies_retention(
    alice: User, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RETENTION_SECONDS", "PURGE_SECONDS"):
        monkeypatch.setattr(server_process, name, 0.05)
    site = await WidgetSite.objects.acreate(owner=alice, name="Day", retention_days=1)
    visitor = await sync_to_async(visitors.make)(site)
    await sync_to_async(announced_long_ago)(await sync_to_async(said)(visitor.user, 2))
    await server_process.current().start()
    await until(nothing_is_left)
