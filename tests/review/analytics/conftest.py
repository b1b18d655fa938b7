"""Fixtures for analytics: answers to measure."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.review.analytics import rollup
from chat.review.analytics.reports import Period
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.support.review.analytics import ask


@pytest.fixture
def noon() -> datetime:
    return timezone.now().astimezone(UTC).replace(hour=0, minute=0) - timedelta(hours=12)


@pytest.fixture
def site(bob: User) -> WidgetSite:
    return WidgetSite.objects.create(owner=bob, name="<b>Shop</b>")


@pytest.fixture
def asked(alice: User, bob: User, site: WidgetSite, noon: datetime) -> list[Generation]:
    """Create answers in ten days of alice, bob and a visitor of bob's website."""
    choose = random.Random(5)
    visitor = visitors.make(site).user
    made = []
    for _ in range(60):
        at = noon - timedelta(days=choose.randrange(10), minutes=choose.randrange(600))
        who = choose.choice((alice, bob, visitor))
        made.append(ask(who, at, choose, site.key if who is visitor else ""))
    rollup.close_days(60)
    rollup.recount()
    return made


@pytest.fixture
def period(noon: datetime) -> Period:
    return Period(noon.date() - timedelta(days=6), noon.date())
