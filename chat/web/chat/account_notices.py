"""Load a member's staff role, unread warnings, and whether chats were shared with them."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Value

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.retention.models import ExpiryNotice
from chat.database.prepared import PreparedQuery
from chat.review.moderation.warnings import ModerationWarning, unread_of
from chat.review.staff import privacy
from chat.review.staff.roles import Right, Role, holders_among, staff_among
from chat.sharing.recipients import received_since, seen_until
from chat.site_settings import effective
from chat.site_settings.announcement import Announcement


def account_notices(user_id: int, preferences: Preferences) -> dict[str, Any]:
    """Return the template context. Most users are not reviewers and have no warnings: one query."""
    [(reviews, has_right, administers, is_warned, has_expiring, has_received)] = _flags.all(
        user_id, seen_until(preferences)
    )
    warnings = unread_of(user_id) if is_warned else ModerationWarning.objects.none()
    reviews = (reviews and privacy.is_reading_allowed()) or has_right
    return {
        "reviews": reviews,
        "administers": administers,
        "warnings": warnings,
        "has_expiring_chats": has_expiring,
        "has_received_links": has_received,
    }


def shown_announcement(preferences: Preferences) -> Announcement | None:
    """Return what to show to a member now."""
    announcement = effective.announcement()
    is_shown = (
        announcement
        and announcement.is_current()
        and announcement.id != preferences.dismissed_announcement
    )
    return announcement if is_shown else None


def _flags_of(user_id: int, seen: Any) -> QuerySet[Any, Any]:
    themselves = User.all_objects.filter(pk=Value(user_id))
    users = User.all_objects.filter(pk=user_id).annotate(
        reviews=Exists(staff_among(themselves, Role.NONE)),
        has_right=Exists(holders_among(themselves, Right.AUDIT_LOG, Right.DATA_PROTECTION)),
        administers=Exists(staff_among(themselves, Role.ADMINISTRATOR)),
        is_warned=Exists(unread_of(OuterRef("pk"))),
        has_expiring=Exists(ExpiryNotice.objects.filter(owner=OuterRef("pk"))),
        has_received=Exists(received_since(user_id, seen)),
    )
    return users.values_list(
        "reviews", "has_right", "administers", "is_warned", "has_expiring", "has_received"
    )


_flags = PreparedQuery(_flags_of)
