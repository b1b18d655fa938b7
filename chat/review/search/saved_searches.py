"""Save searches with their filters under a name."""

from django.db.models import Q, QuerySet

from chat.errors import NotFound
from chat.review.models import SavedSearch
from chat.review.staff import roles
from chat.review.staff.roles import Reviewer, Role


def searches_for(reviewer: Reviewer) -> QuerySet[SavedSearch]:
    """Return the reviewer's own searches, and those shared by current leads."""
    leads = roles.staff_users(Role.LEAD).values("pk")
    return SavedSearch.objects.filter(
        Q(owner=reviewer.user_id) | Q(is_shared=True, owner__in=leads)
    )


def save(reviewer: Reviewer, name: str, query: str, *, is_shared: bool) -> SavedSearch:
    """Save the search, replacing one of the same name. Only leads can share."""
    view, _made = SavedSearch.objects.update_or_create(
        owner_id=reviewer.user_id,
        name=name,
        defaults={
            "query": query,
            "is_shared": is_shared and reviewer.role >= Role.LEAD,
        },
    )
    return view


def remove(reviewer: Reviewer, view_id: int) -> None:
    if not SavedSearch.objects.filter(pk=view_id, owner=reviewer.user_id).delete()[0]:
        raise NotFound
