"""Find out whether a user is a reviewer, and which staff warnings they must be shown."""

from typing import Any

from django.db.models import Exists, OuterRef, Value

from chat.accounts.models import User
from chat.review.moderation.warnings import ModerationWarning, unread_of
from chat.review.staff.roles import reviewers_among


def account_notices(user_id: int) -> dict[str, Any]:
    """Return the template context. Most users are not reviewers and have no warnings: one query."""
    found = (
        User.all_objects.filter(pk=user_id)
        .annotate(
            reviews=Exists(reviewers_among(User.all_objects.filter(pk=Value(user_id)))),
            is_warned=Exists(unread_of(OuterRef("pk"))),
        )
        .values_list("reviews", "is_warned")
    )
    reviews, is_warned = found.get()
    warnings = unread_of(user_id) if is_warned else ModerationWarning.objects.none()
    return {"reviews": reviews, "warnings": warnings}
