"""A member's consent that turns of their chats are copied into datasets.

It is off by default. Without it there are no copies: withdrawing it deletes them, and all answers
of runs to them. Visitors of websites can't consent, as websites' notices say nothing about it.
"""

from dataclasses import replace

from django.db import transaction

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.evaluation.models import DatasetItem


def has_consented(user: User) -> bool:
    return not user.is_visitor and Preferences.of(user).allows_evaluation


@transaction.atomic
def set_consent(user: User, *, is_given: bool) -> int:
    """Store the member's choice; return how many copies were deleted."""
    locked = User.objects.select_for_update().get(pk=user.pk)  # so that nobody copies meanwhile
    replace(Preferences.of(locked), allows_evaluation=is_given).save(locked)
    return 0 if is_given else delete_copies(user.pk)


def delete_copies(person_id: int) -> int:
    """Delete what was copied from this person's chats; return how many turns it was."""
    _total, deleted = DatasetItem.objects.filter(person=person_id).delete()
    return deleted.get(DatasetItem._meta.label, 0)
