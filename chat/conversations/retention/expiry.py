"""Announce that unused conversations will be deleted, and delete them, in batches.

A conversation is deleted once it is unused for the whole period and has been announced for
`notice_days`. Without the second condition, a shorter period, an import of older conversations or
joining a group would delete conversations before anybody could notice a mistake.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from chat.conversations import list_state
from chat.conversations.models import Conversation
from chat.conversations.retention import periods
from chat.conversations.retention.models import ExpiryNotice
from chat.database.housekeeping import delete_batch, for_all, left_out
from chat.widget_sites.models import WidgetSite

AT_ONCE = 500
NOTICE_DAYS = 7

#: A period in days, and the conversations it applies to.
Scope = tuple[int, QuerySet[Conversation]]


def notice_days(period_days: int) -> int:
    """Return for how many days conversations are announced before they are deleted."""
    return min(NOTICE_DAYS, period_days)


def apply() -> int:
    """Announce, keep or delete a batch of conversations; return how many, 0 at the end.

    Withdrawing reads all notices, so it comes last, once for many batches of the others. Until then
    no conversation in use can be deleted, because its notice alone isn't enough.
    """
    scopes = [*_of_visitors(), *_of_members()]
    changed = sum(_announce(*scope) + _delete_expired(*scope) for scope in scopes)
    return changed or _withdraw_notices(scopes)


def deletion_date(period_days: int, updated_at: datetime, announced_at: datetime) -> date:
    """Return the local day on which an announced conversation is deleted, if it isn't used."""
    unused = updated_at + timedelta(days=period_days)
    announced = announced_at + timedelta(days=notice_days(period_days))
    return timezone.localdate(max(unused, announced))


def earliest_deletion(period_days: int) -> date:
    """Return the local day on which conversations that are too old now can be deleted."""
    return timezone.localdate(timezone.now() + timedelta(days=notice_days(period_days)))


def _of_visitors() -> Iterator[Scope]:
    kept = WidgetSite.objects.exclude(retention_days=None).values_list("pk", "retention_days")
    for site_id, days in kept:
        yield days or 0, Conversation.objects.filter(owner__visitor__site=site_id)


def _of_members() -> Iterator[Scope]:
    for days, owners in periods.by_owners(periods.current()):
        yield days, Conversation.objects.filter(owner__in=owners)


def _announce(days: int, conversations: QuerySet[Conversation]) -> int:
    new = _expiring(days, conversations).filter(expiry_notice=None)
    found = new.values_list("pk", "owner")[:AT_ONCE]
    notices = [ExpiryNotice(conversation_id=pk, owner_id=owner) for pk, owner in found]
    ExpiryNotice.objects.bulk_create(notices, ignore_conflicts=True)
    return len(notices)


def _expiring(days: int, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    """Return those that will be deleted within the time of a notice."""
    return periods.unused(conversations, days - notice_days(days))


def _delete_expired(days: int, conversations: QuerySet[Conversation]) -> int:
    announced_before = timezone.now() - timedelta(days=notice_days(days))
    expired = periods.unused(conversations, days).filter(
        expiry_notice__announced_at__lt=announced_before
    )
    failing = left_out(Conversation._meta.db_table)
    due = expired.exclude(pk__in=failing).values_list("pk", flat=True)
    ids = list(due[:AT_ONCE])
    # The condition is repeated, because one of them may have been used meanwhile.
    return for_all(expired.filter(pk__in=ids), _hide) if ids else 0


def _hide(expired: QuerySet[Conversation]) -> int:
    """Hide what has expired still, once nobody changes it any more.

    PostgreSQL's UPDATE doesn't run a subquery again after it has waited for a lock.
    """
    list(expired.select_for_update(of=("self",)).values_list("pk"))
    return list_state.hide_all(expired)


def _withdraw_notices(scopes: list[Scope]) -> int:
    """Remove notices of conversations that were used, or whose period is longer now.

    Otherwise an old notice would count when a shorter period is set again.
    """
    withdrawn = ExpiryNotice.objects.all()
    for days, conversations in scopes:
        still = _expiring(days, conversations).filter(pk=OuterRef("pk"))
        withdrawn = withdrawn.exclude(Exists(still))
    return delete_batch(withdrawn, AT_ONCE)
