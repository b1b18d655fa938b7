"""Offer to copy turns of a chat into datasets, to who reads it and may use them."""

from typing import Any

from django.contrib.auth.models import AnonymousUser

from chat.accounts.models import User
from chat.evaluation.consent import has_consented
from chat.evaluation.datasets import may_copy
from chat.evaluation.models import EvaluationDataset
from chat.review.access_log.staff_context import StaffContext


def copying_context(
    staff_context: StaffContext, user: User | AnonymousUser, owner: User
) -> dict[str, Any]:
    """Return the datasets to copy to, if the chat's owner has agreed; nothing without the right."""
    if not may_copy(staff_context, user):
        return {}
    if not has_consented(owner):
        return {"lacks_consent": True}
    return {"datasets": EvaluationDataset.objects.all()}
