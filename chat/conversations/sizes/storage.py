"""Calculate and limit the storage that a member, a visitor or a widget site uses.

It is the text of chats, images and files of questions, and documents of members. Deleted chats
count until they are purged, a minute later. Of chats that staff hold, up to a tenth of the limit
does not count.
"""

import time
from functools import lru_cache
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.template.defaultfilters import filesizeformat
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.conversations.errors import StorageFull
from chat.conversations.models import Conversation
from chat.database.prepared import PreparedQuery
from chat.knowledge.models import Document
from chat.lib.limits import BoundedMap

#: How long the sum of a website is cached: it has many chats.
SITE_SUM_SECONDS = 60
#: The size of a chat besides its messages.
CONVERSATION_BYTES = 1000
IS_HELD = Q(purge_after__isnull=False, held_at__isnull=False)
SIZE = F("stored_bytes") + CONVERSATION_BYTES

#: After a check, this process takes a share of what is left without adding up again for a while.
#: The share is so small that many processes together do not exceed the limit.
BUDGET_SHARE, BUDGET_SECONDS = 32, 10.0

#: By member: the limit, what is left of the budget, and until when it holds (monotonic time).
_budgets: BoundedMap[int, tuple[int, int, float]] = BoundedMap()

_size = lazy(filesizeformat, str)  # formatted in each reader's language


class Storage(NamedTuple):
    """A member's storage: used, and the limit (0: none)."""

    used_bytes: int
    most_bytes: int

    @property
    def high_bytes(self) -> int:
        """Return the threshold from which on the storage counts as nearly full."""
        return self.most_bytes * 9 // 10


def storage_of(user_id: int) -> Storage:
    """Return a member's storage: used, and the limit."""
    return Storage(used_bytes(user_id), settings.MAX_MEMBER_BYTES)


def used_bytes(user_id: int, most_bytes: int | None = None) -> int:
    """Return the bytes that a member, or a visitor with the limit `most_bytes`, has stored."""
    most = settings.MAX_MEMBER_BYTES if most_bytes is None else most_bytes
    sums = (each or 0 for each in _of_owner.first(user_id) or (0, 0, 0, 0))
    chats, held, images, documents = sums
    return _counted(chats + images + documents, held, most)


def bytes_left(user_id: int) -> int | None:
    """Return the bytes that a member can still store, at least 0; None if there is no limit."""
    most: int = settings.MAX_MEMBER_BYTES
    return max(0, most - used_bytes(user_id)) if most else None


def require_storage(user_id: int, added_bytes: int) -> None:
    """Raise `StorageFull` if a member has no room for `added_bytes`.

    With no room left it is raised even for 0 bytes, because retrying an answer adds one as well.
    """
    most: int = settings.MAX_MEMBER_BYTES
    if _is_within_budget(user_id, most, added_bytes):
        return
    left = bytes_left(user_id)
    if left is not None and max(1, added_bytes) > left:
        raise storage_full()
    if left is not None:
        _keep_budget(user_id, most, (left - added_bytes) // BUDGET_SHARE)


def _is_within_budget(user_id: int, most_bytes: int, added_bytes: int) -> bool:
    """Take `added_bytes` from a member's budget; return False if it is used up or too old.

    Adding up a member's chats takes longer than anything else that is read for a message.
    """
    limit, left, until = _budgets.get(user_id, (0, 0, 0.0))
    left -= added_bytes + CONVERSATION_BYTES
    if limit != most_bytes or left < 0 or time.monotonic() > until:
        return False
    _budgets[user_id] = limit, left, until
    return True


def _keep_budget(user_id: int, most_bytes: int, budget_bytes: int) -> None:
    _budgets[user_id] = most_bytes, budget_bytes, time.monotonic() + BUDGET_SECONDS


def forget_budgets() -> None:
    _budgets.clear()


def require_visitor_storage(user_id: int, site_key: str, added_bytes: int) -> None:
    """Raise `StorageFull` if a visitor, or all visitors of their website together, have no room."""
    most: int = settings.MAX_VISITOR_BYTES
    if most and used_bytes(user_id, most) + max(1, added_bytes) > most:
        raise StorageFull(_VISITOR_FULL)
    most = settings.MAX_SITE_BYTES
    if most and _used_by_site(site_key, int(time.monotonic() // SITE_SUM_SECONDS)) > most:
        raise StorageFull(_SITE_FULL)


def require_room(user_id: int, site_key: str, added_bytes: int) -> None:
    """Raise `StorageFull` if a member, or a visitor of a website, has no room."""
    if site_key:
        require_visitor_storage(user_id, site_key, added_bytes)
    else:
        require_storage(user_id, added_bytes)


def storage_full() -> StorageFull:
    """Return the error for a member whose storage is full."""
    return StorageFull(format_lazy(_MEMBER_FULL, most=_size(settings.MAX_MEMBER_BYTES)))


def bytes_of(text: str) -> int:
    return len(text.encode())


_MEMBER_FULL = _(
    "Your storage of {most} is full. Delete chats you no longer need. You can export them first."
)
_VISITOR_FULL = _("You've reached the storage limit for visitors.")
_SITE_FULL = _("This website's chat is out of storage space.")


@lru_cache(maxsize=1000)
def _used_by_site(site_key: str, _period: int) -> int:
    of_site = Q(owner__visitor__site__key=site_key)
    images = apps.get_model("chat", "StoredImage")._default_manager.filter(of_site)
    chats = _sum(Conversation.all_objects.filter(of_site), settings.MAX_SITE_BYTES)
    return chats + int(images.aggregate(all=Sum("size_bytes", default=0))["all"])


def _sum(conversations: QuerySet[Conversation], most_bytes: int) -> int:
    """Return the total size, including held deleted chats only beyond a tenth of the limit.

    A user can get a chat held by reporting and deleting it, which must not make storage free.
    """
    sums: dict[str, int] = conversations.aggregate(
        all=Sum(SIZE, default=0), held=Sum(SIZE, filter=IS_HELD, default=0)
    )
    return _counted(sums["all"], sums["held"], most_bytes)


def _of_user(user_id: Any) -> QuerySet[Any, Any]:
    """Return the sizes of a user's chats, of the held ones among them, images and documents."""
    chats = Conversation.all_objects
    images = apps.get_model("chat", "StoredImage")._default_manager
    mine = Document.objects.filter(collection__owner=OuterRef("pk")).order_by()
    documents = mine.values("collection__owner").values(total=Sum("stored_bytes"))
    return User.all_objects.filter(pk=user_id).values_list(
        _owned(chats.all(), SIZE),
        _owned(chats.filter(IS_HELD), SIZE),
        _owned(images.all(), "size_bytes"),
        Subquery(documents),
    )


def _owned(rows: QuerySet[Any], size: Any) -> Subquery:
    """Return the total size of the rows that the outer query's user owns."""
    mine = rows.filter(owner=OuterRef("pk")).order_by().values("owner")
    return Subquery(mine.values(total=Sum(size)).values("total"))


_of_owner = PreparedQuery(_of_user)


def _counted(all_bytes: int, held_bytes: int, most_bytes: int) -> int:
    return all_bytes - min(held_bytes, most_bytes // 10)
