"""Members' chats are deleted after the period of the site or of their groups."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.retention import expiry, periods
from chat.conversations.retention.models import GroupRetention
from chat.conversations.retention.periods import RetentionPeriods
from chat.site_settings import setting_names, stored_settings
from chat.site_settings.models import SiteSetting
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.support.database.retention import announced_long_ago, apply_retention


def chat_of(owner: User, days_ago: float) -> Conversation:
    used_at = timezone.now() - timedelta(days=days_ago)
    return Conversation.objects.create(owner=owner, title=f"{days_ago}", updated_at=used_at)


def keep_for(days: int | None) -> None:
    """Set the site's period."""
    SiteSetting.objects.update_or_create(pk=setting_names.RETENTION_DAYS, defaults={"value": days})
    stored_settings.refresh()


def titles_left(owner: User) -> list[str]:
    apply_retention()
    left = Conversation.objects.filter(owner=owner).order_by("-updated_at")
    return list(left.values_list("title", flat=True))


@pytest.fixture
def old_chats(alice: User, bob: User) -> None:
    for owner in (alice, bob):
        for days in (1, 40, 100, 400):
            chat_of(owner, days)


def group(name: str, days: int, *members: User) -> Group:
    made = Group.objects.create(name=name)
    for each in members:
        each.groups.add(made)
    GroupRetention.objects.create(group=made, days=days)
    return made


@pytest.mark.usefixtures("old_chats")
def test_without_a_period_nothing_is_deleted(alice: User) -> None:
    assert titles_left(alice) == ["1", "40", "100", "400"]


@pytest.mark.usefixtures("old_chats")
def test_the_sites_period_is_for_all_members(alice: User, bob: User) -> None:
    keep_for(90)
    assert titles_left(alice) == titles_left(bob) == ["1", "40"]


@pytest.mark.usefixtures("old_chats")
def test_a_groups_period_takes_the_place_of_the_sites(alice: User, bob: User) -> None:
    keep_for(90)
    group("Pupils", 30, alice)
    assert titles_left(alice) == ["1"]
    assert titles_left(bob) == ["1", "40"]


@pytest.mark.usefixtures("old_chats")
def test_of_several_groups_the_longest_period_counts(alice: User) -> None:
    keep_for(7)
    group("Pupils", 30, alice)
    group("Choir", 300, alice)
    Group.objects.create(name="Without a period").user_set.add(alice)  # type: ignore[attr-defined]
    assert titles_left(alice) == ["1", "40", "100"]
    assert periods.period_of(alice) == 300


@pytest.mark.usefixtures("old_chats")
def test_a_group_can_keep_chats_for_ever(alice: User, bob: User) -> None:
    keep_for(30)
    group("Pupils", 7, alice)
    group("Archivists", periods.FOR_EVER, alice)
    assert titles_left(alice) == ["1", "40", "100", "400"]
    assert titles_left(bob) == ["1"]
    assert periods.period_of(alice) is None


def test_chats_of_visitors_follow_their_website(alice: User) -> None:
    keep_for(30)
    site = WidgetSite.objects.create(owner=alice, name="Shop", retention_days=300)
    visitor = visitors.make(site).user
    chat_of(visitor, 100)
    assert titles_left(visitor) == ["100"]


def test_a_chat_on_legal_hold_is_hidden_and_stays(alice: User) -> None:
    keep_for(30)
    chat = chat_of(alice, 100)
    Conversation.objects.filter(pk=chat.pk).update(held_at=timezone.now())
    assert titles_left(alice) == []
    assert Conversation.all_objects.get().held_at


def test_many_are_deleted_in_batches(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "AT_ONCE", 2)
    keep_for(30)
    for _number in range(5):
        chat_of(alice, 100)
    announced = [expiry.apply() for _round in range(4)]
    announced_long_ago(*Conversation.objects.all())
    deleted = [expiry.apply() for _round in range(3)]
    withdrawn = [expiry.apply() for _round in range(4)]
    assert announced == [2, 2, 1, 0]
    assert deleted == [2, 2, 1]
    assert withdrawn == [2, 2, 1, 0]  # the notices of deleted chats
    assert not Conversation.objects.exists()


@pytest.mark.usefixtures("old_chats")
def test_what_a_period_would_delete_is_counted_before(alice: User, bob: User) -> None:
    pupils = Group.objects.create(name="Pupils")
    alice.groups.add(pupils)
    none = RetentionPeriods(None, {})
    assert periods.count_expired(none) == 0
    assert periods.count_expired(RetentionPeriods(90, {})) == 4
    assert periods.count_expired(periods.with_group(none, pupils, 30)) == 3
    assert periods.count_expired(periods.with_group(RetentionPeriods(30, {}), pupils, 0)) == 3
