"""Remember when keys were last used, and store it about once a minute.

A call does not wait for that write.
"""

from datetime import datetime

from django.db import DatabaseError
from django.utils import timezone

from chat.api_keys.models import ApiKey

MAX_PENDING = 10_000

_used: dict[int, datetime] = {}


def record_use(key_id: int) -> None:
    """Record that this key was used now."""
    if len(_used) < MAX_PENDING or key_id in _used:
        _used[key_id] = timezone.now()


def store() -> None:
    """Store what was recorded since the last time."""
    noted = dict(_used)
    _used.clear()
    try:
        for key_id, moment in noted.items():
            ApiKey.objects.filter(pk=key_id).update(last_used_at=moment)
    except DatabaseError:
        for key_id, moment in noted.items():  # for the next time
            _used.setdefault(key_id, moment)
        raise


def of(key: ApiKey) -> datetime | None:
    """Return when the key was last used, as far as this process knows."""
    return _used.get(key.pk, key.last_used_at)
