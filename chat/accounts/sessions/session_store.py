"""Store sessions in the database, each with the user who is signed in.

With a column for the user, ending a member's sessions and listing their devices only reads that
member's rows. The session data is encoded and would have to be decoded to find its user.
"""

import re
import uuid
from datetime import timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from chat.accounts.models import User
from chat.database.errors import error_for
from chat.database.prepared import PreparedQuery

#: Lifetime of a session without a user: for a passkey's challenge, a pending second factor, or an
#: invitation being accepted.
ANONYMOUS_SESSION_LIFETIME = timedelta(hours=1)
USER_AGENT_LENGTH = 200
#: What Django makes keys of. PostgreSQL can't even be asked for others, as a cookie may have NULs.
KEY = re.compile(r"[a-z0-9]{8,40}")


class UserSession(AbstractBaseSession):
    """A session and its device. Network addresses are not stored."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")
    # The id shown in pages, because the session's key would sign anybody in.
    device_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user_agent = models.CharField(max_length=USER_AGENT_LENGTH, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"session of user {self.user_id}"

    @classmethod
    def get_session_store_class(cls) -> type["SessionStore"]:
        return SessionStore

    def save(self, **options: Any) -> None:
        """Save without overwriting device data, which the store's new instances lack."""
        if options.get("force_update"):
            options.setdefault("update_fields", ["session_data", "expire_date", "user"])
        super().save(**options)


class SessionStore(db.SessionStore):
    """Django's session store with a column for the user. Each request reads one row."""

    def _validate_session_key(self, key: str | None) -> bool:
        return is_key(key)

    def _get_session_from_db(self) -> UserSession | None:
        row = _current.first(self.session_key, timezone.now())
        if row is None:
            self._session_key = None  # do not adopt a session key that the client made up
        return row

    @classmethod
    def get_model_class(cls) -> type[UserSession]:
        return UserSession

    def save(self, must_create: bool = False) -> None:
        """Save the session. Django takes any failure to update it for a concurrent sign-out."""
        try:
            super().save(must_create)
        except UpdateError as error:
            failure = error.__context__
            if failure is None or error_for(failure) is None:
                raise
            raise failure from failure.__cause__  # which has PostgreSQL's code

    def create_model_instance(self, data: dict[str, Any]) -> UserSession:
        return _with_user(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> UserSession:
        return _with_user(await super().acreate_model_instance(data), data)


def is_key(key: str | None) -> bool:
    """Return whether this may be the key of a session."""
    return bool(key and KEY.fullmatch(key))


_current = PreparedQuery(
    lambda key, now: UserSession.objects.filter(session_key=key, expire_date__gt=now)
)


def _with_user(session: Any, data: dict[str, Any]) -> UserSession:
    session.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
    if session.user_id is None:
        soon = timezone.now() + ANONYMOUS_SESSION_LIFETIME
        session.expire_date = min(session.expire_date, soon)
    row: UserSession = session
    return row
