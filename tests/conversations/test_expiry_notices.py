"""Nothing is deleted by retention before its owner could read for a week that it will be."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import list_state
from chat.conversations.models import Conversation
from chat.conversations.retention import announced, expiry
from chat.conversations.retention.models import ExpiryNotice, GroupRetention
from chat.site_settings import setting_names, stored_settings
from chat.site_settings.models import SiteSetting
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.support.database.retention import announced_long_ago


def keep_for(days: int | None) -> None:
    """Set the site's period."""
    SiteSetting.objects.filter(pk=setting_names.RETENTION_DAYS).delete()
    if days is not None:
        SiteSetting.objects.create(pk=setting_names.RETENTION_DAYS, value=days)
    stored_settings.refresh()


def chat_of(owner: User, days_ago: float) -> Conversation:
    used_at = timezone.now() - timedelta(days=days_ago)
    return Conversation.objects.create(owner=owner, title=f"{days_ago}", updated_at=used_at)


def sweep() -> None:
    while expiry.apply():
        pass


def let_pass(days: float) -> None:
    """Let time pass for the notices, not for the chats."""
    for each in ExpiryNotice.objects.all():
        each.announced_at -= timedelta(days=days)
        each.save()


def kept(owner: User) -> list[str]:
    return [each.title for each in Conversation.objects.filter(owner=owner)]


def announced_titles(owner: User) -> list[str]:
    return [each.conversation.title for each in announced.expiring_of(owner).shown]


def test_a_new_period_deletes_nothing_for_a_week(alice: User) -> None:
    chat_of(alice, 400)
    keep_for(30)
    sweep()
    assert kept(alice) == announced_titles(alice) == ["400"]
    let_pass(6.9)
    sweep()
    assert kept(alice) == ["400"]
    let_pass(0.2)
    sweep()
    assert kept(alice) == []
    sweep()
    assert not ExpiryNotice.objects.exists()


def test_a_period_that_is_taken_back_in_time_deletes_nothing_later(alice: User) -> None:
    chat_of(alice, 400)
    keep_for(30)
    sweep()
    keep_for(None)
    sweep()
    assert not ExpiryNotice.objects.exists()
    keep_for(30)
    sweep()
    let_pass(6)
    sweep()
    assert kept(alice) == ["400"]


def test_joining_a_group_with_a_shorter_period_deletes_nothing_for_a_week(alice: User) -> None:
    chat_of(alice, 100)
    pupils = Group.objects.create(name="Pupils")
    GroupRetention.objects.create(group=pupils, days=30)
    sweep()
    assert announced_titles(alice) == []
    alice.groups.add(pupils)
    sweep()
    assert kept(alice) == announced_titles(alice) == ["100"]
    alice.groups.remove(pupils)
    sweep()
    assert announced_titles(alice) == []


def test_a_chat_that_nobody_uses_is_announced_in_its_last_week(alice: User) -> None:
    keep_for(30)
    chat_of(alice, 22.9)
    last_week = chat_of(alice, 23.1)
    sweep()
    [expiring] = announced.expiring_of(alice).shown
    assert expiring.conversation == last_week
    deleted_at = last_week.updated_at + timedelta(days=30)
    assert abs((expiring.deleted_on - deleted_at.date()).days) <= 1
    announced_long_ago(last_week)
    Conversation.objects.filter(pk=last_week.pk).update(
        updated_at=timezone.now() - timedelta(days=30.1)
    )
    sweep()
    assert kept(alice) == ["22.9"]


def test_a_chat_that_is_used_again_is_kept(alice: User) -> None:
    keep_for(30)
    chat = chat_of(alice, 100)
    sweep()
    let_pass(8)
    Conversation.objects.filter(pk=chat.pk).update(updated_at=timezone.now())
    sweep()
    assert kept(alice) == ["100"]
    assert not ExpiryNotice.objects.exists()


def test_a_chat_that_is_restored_is_announced_anew(alice: User) -> None:
    keep_for(30)
    chat = chat_of(alice, 100)
    sweep()
    let_pass(6)
    list_state.hide_all(Conversation.objects.filter(pk=chat.pk), seconds=60)
    sweep()
    assert list_state.restore(chat)
    sweep()
    let_pass(6)
    sweep()
    assert kept(alice) == ["100"]


@pytest.mark.parametrize(("period", "notice"), [(1, 1), (7, 7), (8, 7), (365, 7)])
def test_a_notice_takes_a_week_or_a_shorter_period(period: int, notice: int, alice: User) -> None:
    keep_for(period)
    chat = chat_of(alice, 1000)
    sweep()
    announced_at = ExpiryNotice.objects.get().announced_at
    day = announced.deletion_of(chat, alice)
    assert day == timezone.localdate(announced_at + timedelta(days=notice))
    assert day == expiry.earliest_deletion(period)


def test_a_shorter_period_of_a_website_deletes_nothing_for_a_week(alice: User) -> None:
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    visitor = visitors.make(site).user
    chat_of(visitor, 100)
    WidgetSite.objects.update(retention_days=30)
    sweep()
    assert kept(visitor) == ["100"]
    let_pass(7.1)
    sweep()
    assert kept(visitor) == []


def test_only_the_owners_chats_are_listed_and_all_are_counted(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announced, "MAX_SHOWN", 2)
    keep_for(30)
    for owner, days in ((alice, 50), (alice, 70), (alice, 60), (bob, 80)):
        chat_of(owner, days)
    sweep()
    assert announced_titles(alice) == ["70", "60"]
    assert announced.expiring_of(alice).more == 1
    keep_for(None)
    assert announced.expiring_of(alice).count == 0
