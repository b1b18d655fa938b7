"""How much somebody has stored, and may store: of messages, whatever became of their chats.

Deleted chats count until they are removed, a minute later. Of what the staff keeps of them, as much
as a tenth of the room does not.
"""

import time
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.db.models import F, Q, QuerySet, Sum
from django.template.defaultfilters import filesizeformat
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.conversations.conversation_errors import StorageFull
from chat.conversations.models import Conversation
from chat.database.model_rows import fetch

#: How long the sum of a whole website is believed: it has many chats.
SITE_SUM_SECONDS = 60
#: What a chat takes without its messages.
CONVERSATION_BYTES = 1000
#: The same as `_sum`, for each message that is sent.
OF_OWNER = f"""
SELECT coalesce(sum(stored_bytes + %s), 0), coalesce(sum(
    CASE WHEN purge_after IS NOT NULL AND held_at IS NOT NULL THEN stored_bytes + %s ELSE 0 END
), 0)
FROM {Conversation._meta.db_table} WHERE owner_id = %s
"""  # noqa: S608  (a table's name)

_size = lazy(filesizeformat, str)  # each reader's digits


class Storage(NamedTuple):
    """What a member has stored, and how much that may be; 0 is no limit."""

    used_bytes: int
    most_bytes: int

    @property
    def high_bytes(self) -> int:
        """From here on it is nearly full."""
        return self.most_bytes * 9 // 10


def storage_of(user_id: int) -> Storage:
    return Storage(used_bytes(user_id), settings.MAX_MEMBER_BYTES)


def used_bytes(user_id: int, most_bytes: int | None = None) -> int:
    """What a member has stored, or a visitor, who may have `most_bytes`."""
    most = settings.MAX_MEMBER_BYTES if most_bytes is None else most_bytes
    rows = fetch(OF_OWNER, CONVERSATION_BYTES, CONVERSATION_BYTES, user_id)
    every, held = rows[0]
    return _counted(int(every), int(held), most)


def bytes_left(user_id: int) -> int | None:
    """Room for more of a member's; None is any. Never below nothing."""
    most: int = settings.MAX_MEMBER_BYTES
    return max(0, most - used_bytes(user_id)) if most else None


def require_storage(user_id: int, added_bytes: int) -> None:
    """Raises `StorageFull` where `added_bytes` are more than a member has room for.

    Where there is none, nothing is added at all: another try at an answer brings an answer.
    """
    left = bytes_left(user_id)
    if left is not None and max(1, added_bytes) > left:
        raise storage_full()


def require_visitor_storage(user_id: int, site_key: str, added_bytes: int) -> None:
    """The same for a visitor, and for all visitors of their website together."""
    most: int = settings.MAX_VISITOR_BYTES
    if most and used_bytes(user_id, most) + max(1, added_bytes) > most:
        raise StorageFull(_VISITOR_FULL)
    most = settings.MAX_SITE_BYTES
    if most and _used_by_site(site_key, int(time.monotonic() // SITE_SUM_SECONDS)) > most:
        raise StorageFull(_SITE_FULL)


def storage_full() -> StorageFull:
    return StorageFull(format_lazy(_MEMBER_FULL, most=_size(settings.MAX_MEMBER_BYTES)))


def bytes_of(text: str) -> int:
    return len(text.encode())


_MEMBER_FULL = _(
    "Your storage of {most} is full. Delete chats you no longer need. You can export "
    "them first. Your draft is saved."
)
_VISITOR_FULL = _("This chat has reached its storage limit. Start a new one another day.")
_SITE_FULL = _("This website's chat is out of storage. Your draft is saved.")


@lru_cache(maxsize=1000)
def _used_by_site(site_key: str, _period: int) -> int:
    found = Conversation.all_objects.filter(owner__visitor__site__key=site_key)
    return _sum(found, settings.MAX_SITE_BYTES)


def _sum(conversations: QuerySet[Conversation], most_bytes: int) -> int:
    """Of all; deleted ones that the staff holds only beyond a tenth of the room.

    Whoever reports a chat of their own and deletes it has it held: that must not be free.
    """
    is_held = Q(purge_after__isnull=False, held_at__isnull=False)
    size = F("stored_bytes") + CONVERSATION_BYTES
    found: dict[str, int] = conversations.aggregate(
        all=Sum(size, default=0), held=Sum(size, filter=is_held, default=0)
    )
    return _counted(found["all"], found["held"], most_bytes)


def _counted(all_bytes: int, held_bytes: int, most_bytes: int) -> int:
    return all_bytes - min(held_bytes, most_bytes // 10)
