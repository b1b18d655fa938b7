"""Decide how long the conversations of each member are kept, in days since their last use.

Of several groups with a period, the longest counts. The site's period is for members of none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.retention.models import GroupRetention
from chat.site_settings import effective

MAX_DAYS = 36_500
FOR_EVER = 0


@dataclass(frozen=True, slots=True)
class RetentionPeriods:
    """The site's period and those of groups, by their IDs; None or 0: kept until deleted."""

    of_site: int | None
    of_groups: dict[int, int]


def current() -> RetentionPeriods:
    groups = dict(GroupRetention.objects.values_list("group", "days"))
    return RetentionPeriods(effective.retention_days(), groups)


def period_of(user: User) -> int | None:
    """Return after how many days unused conversations of a member are deleted; None: never."""
    periods = current()
    groups = set(user.groups.values_list("pk", flat=True))
    theirs = [days for group, days in periods.of_groups.items() if group in groups]
    if FOR_EVER in theirs:
        return None
    return max(theirs, default=periods.of_site or None)


def by_owners(periods: RetentionPeriods) -> Iterator[tuple[int, QuerySet[Any, Any]]]:
    """Yield each period in days, with the IDs of the members it applies to."""
    longer: set[int] = set()
    by_length: dict[int, set[int]] = {}
    for group, days in periods.of_groups.items():
        by_length.setdefault(days, set()).add(group)
    longer |= by_length.pop(FOR_EVER, set())
    for days in sorted(by_length, reverse=True):
        yield days, _members(by_length[days], but=longer)
        longer |= by_length[days]
    if periods.of_site:
        everybody = User.objects.exclude(pk__in=_in_groups(longer))
        yield periods.of_site, everybody.values("pk")


def unused(conversations: QuerySet[Conversation], days: int) -> QuerySet[Conversation]:
    """Return those that nobody has used for so many days."""
    return conversations.filter(updated_at__lt=timezone.now() - timedelta(days=days))


def _members(groups: set[int], *, but: set[int]) -> QuerySet[Any, Any]:
    members = User.objects.filter(pk__in=_in_groups(groups))
    return members.exclude(pk__in=_in_groups(but)).values("pk")


def _in_groups(groups: set[int]) -> QuerySet[Any, Any]:
    return User.groups.through.objects.filter(group__in=groups).values("user")


def with_group(periods: RetentionPeriods, group: Group, days: int | None) -> RetentionPeriods:
    """Return the periods as they are once this group has another one."""
    others = {pk: each for pk, each in periods.of_groups.items() if pk != group.pk}
    return RetentionPeriods(periods.of_site, others if days is None else others | {group.pk: days})


def set_for(group: Group, days: int | None) -> None:
    """Set a group's period; None: the site's one applies."""
    if days is None:
        GroupRetention.objects.filter(group=group).delete()
    else:
        GroupRetention.objects.update_or_create(group=group, defaults={"days": days})


def count_expired(periods: RetentionPeriods) -> int:
    """Return how many conversations are unused for longer than their period."""
    return sum(
        unused(Conversation.objects.filter(owner__in=owners), days).count()
        for days, owners in by_owners(periods)
    )
