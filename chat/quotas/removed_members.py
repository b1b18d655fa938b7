"""What remains of the charges of a member whose account is removed."""

from django.db import transaction

from chat.quotas.models import Charge, Meter
from chat.quotas.payer import EVERYONE, Payer

FORGOTTEN_AT_ONCE = 500


def has_open_charge(user_id: int) -> bool:
    """Return whether an answer of the member's is not settled yet."""
    return Charge.objects.filter(user=user_id, settled_at=None).exists()


@transaction.atomic
def anonymise(user_id: int) -> bool:
    """Anonymise a batch of the member's settled charges; return True if more may remain.

    The amounts stay, for the totals of groups and of the site. The member's meter is deleted in the
    end.
    """
    settled = Charge.objects.filter(user=user_id).exclude(settled_at=None)
    theirs = list(settled.order_by("pk")[:FORGOTTEN_AT_ONCE])
    for charge in theirs:
        charge.user = None
        charge.keys = [key for key in charge.keys if key == EVERYONE or key.startswith("group:")]
    Charge.objects.bulk_update(theirs, ["user", "keys"], batch_size=100)
    if len(theirs) == FORGOTTEN_AT_ONCE:
        return True
    Meter.objects.filter(key=Payer(user_id=user_id).user_key).delete()
    return False
