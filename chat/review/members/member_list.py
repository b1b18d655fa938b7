"""List people by parts of a name or address, state and group, in pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from chat.accounts.models import User
from chat.quotas.models import Meter
from chat.quotas.payer import Payer
from chat.quotas.units import window_start
from chat.review.staff.people_search import named

PER_PAGE = 50
ACTIVE, WAITING, SUSPENDED, OFF = "active", "waiting", "suspended", "off"
STATES = {
    ACTIVE: Q(is_active=True),
    WAITING: Q(is_active=False, pending_since__isnull=False),
    SUSPENDED: Q(is_active=False, suspended_at__isnull=False),
    OFF: Q(is_active=False, pending_since=None, suspended_at=None),
}


@dataclass(frozen=True, slots=True)
class MemberFacets:
    text: str = ""
    state: str = ""
    group: int | None = None


@dataclass(frozen=True, slots=True)
class MemberRow:
    user: User
    state: str
    active_at: datetime | None
    dollars: float  # this month so far


def people(facets: MemberFacets) -> QuerySet[User]:
    """Return matching members, sorted by email address."""
    users = User.objects.filter(closed_at=None).order_by("email")
    if facets.text:
        users = users.filter(named(facets.text))
    if facets.state:
        users = users.filter(STATES[facets.state])
    if facets.group is not None:
        users = users.filter(groups=facets.group)
    return users.prefetch_related("groups")


def page(facets: MemberFacets, after: str = "") -> tuple[list[MemberRow], str]:
    """Return the members after an address, and the address that the next page starts after."""
    rows = list(people(facets).filter(email__gt=after)[: PER_PAGE + 1])
    shown = rows[:PER_PAGE]
    return list(member_rows(shown)), shown[-1].email if len(rows) > len(shown) else ""


def member_rows(users: Iterable[User]) -> Iterable[MemberRow]:
    """Yield users with their usage, from the same meters that limits use."""
    users = list(users)
    keys = {user.pk: Payer(user_id=user.pk).user_key for user in users}
    meters = Meter.objects.in_bulk(list(keys.values()))
    for user in users:
        meter = meters.get(keys[user.pk])
        moments = [each for each in (user.last_login, meter and meter.used_at) if each]
        yield MemberRow(user, state_of(user), max(moments, default=None), _dollars(meter))


def state_of(user: User) -> str:
    if user.is_active:
        return ACTIVE
    if user.pending_since:
        return WAITING
    return SUSPENDED if user.suspended_at else OFF


def _dollars(meter: Meter | None) -> float:
    if meter is None or meter.month != window_start("month", timezone.now().astimezone(UTC)):
        return 0.0
    return meter.microdollars / 1_000_000
