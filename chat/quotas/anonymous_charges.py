"""Remove from charges whom they are of.

Amounts stay, for the totals of groups, websites and the site. Limits count a charge until its month
is over at the latest, so from then on it names no visitor and no IP address. Once an account or a
website is removed, its charges name nobody at once.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from chat.quotas.models import Charge, Meter
from chat.quotas.payer import ADDRESS_OR_VISITOR, Payer, names_nobody
from chat.quotas.units import window_start

ANONYMISED_AT_ONCE = 500
SETTLES = timedelta(hours=1)  # by then, the last answers of the month have ended
ONE_DAY = timedelta(days=1)
CHORE_SECONDS = 2.0


def has_charges(payer: Payer) -> bool:
    """Return whether charges still name the payer, such as those of running answers."""
    return _charges_of(payer).exists()


@transaction.atomic
def anonymise(payer: Payer) -> bool:
    """Anonymise a batch of the payer's settled charges; return True if more may remain.

    The payer is a removed member, visitor or website. Their meter is deleted in the end.
    """
    if _anonymise_some(_charges_of(payer), names_nobody):
        return True
    if not has_charges(payer):
        Meter.objects.filter(key=_key_of(payer)).delete()
    return False


class PastMonths:
    """Removes visitors and addresses from the charges of past months.

    Every process goes through all days once, from the newest to the oldest, and again when a month
    is over. The index on the time finds the charges of a day.
    """

    def __init__(self) -> None:
        self._month: datetime | None = None
        self._end: datetime | None = None  # of the day that is next

    def anonymise(self, seconds: float = CHORE_SECONDS) -> None:
        """Go on for up to `seconds`."""
        until = time.monotonic() + seconds
        first = Charge.objects.order_by("created_at").values_list("created_at", flat=True).first()
        month = _oldest_month()
        if self._end is None or month != self._month:
            self._month = self._end = month
        while first and self._end > first and time.monotonic() < until:
            of_day = Q(created_at__gte=self._end - ONE_DAY, created_at__lt=self._end)
            if not _anonymise_some(_naming_somebody().filter(of_day), _is_lasting):
                self._end -= ONE_DAY


def _oldest_month() -> datetime:
    """Return when the month began whose charges limits may still count."""
    settled = timezone.now() - SETTLES
    return window_start("month", settled) or settled


def _is_lasting(key: str) -> bool:
    return not key.startswith(ADDRESS_OR_VISITOR)


def _key_of(payer: Payer) -> str:
    return payer.user_key or payer.visitor_key or payer.site_key


def _charges_of(payer: Payer) -> QuerySet[Charge]:
    """Return the charges that name a member, a visitor, or visitors of a website.

    Only this month's name visitors. Without a meter there are none, so looking again for those of a
    website that waits for the end of a legal hold costs nothing.
    """
    if payer.user_id:
        return Charge.objects.filter(user=payer.user_id)
    if not Meter.objects.filter(key=_key_of(payer)).exists():
        return Charge.objects.none()
    return _naming_somebody(of=_key_of(payer)).filter(created_at__gte=_oldest_month())


def _naming_somebody(of: str = "") -> QuerySet[Charge]:
    """Return the charges that name a visitor or an address, all or those with the key `of`.

    Keys are compared as text, because SQLite has no operator for the values of a list.
    """
    named = Q()
    for prefix in ADDRESS_OR_VISITOR:
        named |= Q(text__contains=f'"{prefix}')
    if of:
        named &= Q(text__contains=f'"{of}"')
    return Charge.objects.annotate(text=Cast("keys", TextField())).filter(named)


@transaction.atomic
def _anonymise_some(charges: QuerySet[Charge], keeps: Callable[[str], bool]) -> bool:
    """Remove keys, and members, from a batch of settled charges; return True if more may remain."""
    settled = charges.exclude(settled_at=None).order_by("created_at", "pk")
    some = list(settled.select_for_update()[:ANONYMISED_AT_ONCE])
    for charge in some:
        charge.keys = [key for key in charge.keys if keeps(key)]
        if charge.user_id and not keeps(Payer(user_id=charge.user_id).user_key):
            charge.user = None
    Charge.objects.bulk_update(some, ["user", "keys"], batch_size=100)
    return len(some) == ANONYMISED_AT_ONCE
