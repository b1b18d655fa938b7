"""Decide which pages of review a staff member has, whichever of them is open."""

from django.contrib.auth.models import AnonymousUser

from chat.accounts.models import User
from chat.review.staff import privacy
from chat.review.staff.roles import Right, Role, rights_of, role_of

#: The page that staff begin with who have only this right, in order of preference.
FIRST_PAGES = {
    Right.DATA_PROTECTION: "review_data_requests",
    Right.FIGURES: "review_analytics",
    Right.AUDIT_LOG: "review_access_log",
    Right.EVALUATION: "review_datasets",
}


def staff_navigation(user: User | AnonymousUser) -> frozenset[str]:
    """Return the names of the navigation's parts that `user` has."""
    role, rights = role_of(user) or Role.NONE, rights_of(user)
    parts = {
        "chats": role >= Role.REVIEWER and privacy.is_reading_allowed(),
        "analytics": Right.FIGURES in rights and privacy.is_reading_allowed(),
        "administration": role is Role.ADMINISTRATOR,
        "data_requests": Right.DATA_PROTECTION in rights,
        "audit_log": Right.AUDIT_LOG in rights,
        "evaluation": Right.EVALUATION in rights and privacy.is_reading_allowed(),
    }
    return frozenset(name for name, is_there in parts.items() if is_there)


def first_page(user: User | AnonymousUser) -> str:
    """Return the name of the first page of staff who read no chats; empty for all others."""
    rights = frozenset[Right]() if role_of(user) else rights_of(user)
    return next((page for right, page in FIRST_PAGES.items() if right in rights), "")
