"""Keep the cases of chats that are erased, without any text that the owner wrote.

So the queue, exports and the log of staff actions still tell what was reported and decided.
"""

from typing import Any

from django.db.models import Exists, OuterRef
from django.db.models.signals import pre_delete
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.case_models import Case, Flag
from chat.review.cases.holds import is_holding
from chat.widget_sites.models import Visitor

BY_OWNER = (Flag.Source.REPORT, Flag.Source.THUMB)


def connect_signals() -> None:
    """Keep cases whenever a chat is erased. Call once, when the app is ready."""
    pre_delete.connect(_keep_cases, sender=Conversation)


def _keep_cases(instance: Conversation, **_: Any) -> None:
    cases = Case.objects.filter(conversation=instance)
    if not cases.exists():
        return
    # A rating that nobody has looked at is withdrawn with its chat. Nor is there anything left to
    # decide about a match of a rule that does not keep chats.
    holding = Flag.objects.filter(is_holding(), case=OuterRef("pk"))
    cases.filter(~Exists(holding), state=Case.State.OPEN).delete()
    Flag.objects.filter(case__in=cases, source__in=BY_OWNER).update(comment="")
    cases.update(
        erased_at=timezone.now(),
        former_conversation=instance.pk,
        former_owner=instance.owner_id,
        former_site=Visitor.objects.filter(user=instance.owner_id)
        .values_list("site", flat=True)
        .first(),
        former_groups=_groups_of(instance.owner_id),
    )


def _groups_of(owner_id: int) -> str:
    groups = User.groups.through.objects.filter(user=owner_id).values_list("group", flat=True)
    return "".join(f" {each}" for each in sorted(groups)) + " "
