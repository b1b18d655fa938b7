"""A visitor without chats is removed a day after the visit, unless staff have done something."""

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.accounts import suspension
from chat.accounts.models import User
from chat.review.moderation.warnings import ModerationWarning
from chat.widget_sites import visitors
from chat.widget_sites.models import Visitor, WidgetSite
from tests.support.widget.visitor_client import make_site


@pytest.fixture
def shop(bob: User) -> WidgetSite:
    return make_site(bob)


@pytest.fixture
def vera(shop: WidgetSite) -> Visitor:
    """Return a visitor whom the website has identified."""
    return visitors.find_by_subject(shop, "vera", "Vera")


def remove_days_later() -> int:
    Visitor.objects.update(last_seen_at=timezone.now() - timedelta(days=2))
    return visitors.remove_idle()


def test_a_visitor_without_chats_is_removed(vera: Visitor) -> None:
    assert remove_days_later() == 1
    assert not User.all_objects.filter(pk=vera.user_id).exists()


def test_a_suspended_visitor_stays_until_the_suspension_ends(
    vera: Visitor, shop: WidgetSite
) -> None:
    suspension.suspend(vera.user, None)
    assert remove_days_later() == 0
    again = visitors.find_by_subject(shop, "vera", "Vera")
    assert not User.all_objects.get(pk=again.user_id).is_active
    suspension.restore(vera.user)
    assert remove_days_later() == 1


def test_a_visitor_whom_staff_have_warned_stays(vera: Visitor) -> None:
    ModerationWarning.objects.create(person=vera.user, text="Please mind")
    assert remove_days_later() == 0
