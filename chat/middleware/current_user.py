"""Determine who makes a request, once, for sync and async views alike."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.accounts.known_request import KnownRequest
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.accounts.sessions import session_rights
from chat.database import threads
from chat.middleware.base import Middleware
from chat.middleware.routes import route_match

#: Routes that determine the user themselves, because they work while the database is away, and
#: responses that are the same for all.
WITHOUT_USER = frozenset({"cancel", "healthz", "accent_style", "site_logo"})


class CurrentUserMiddleware(Middleware):
    """Set `request.asker_id` and `request.preferences`. Place this after sessions."""

    def before(self, request: KnownRequest) -> None:
        _set(request, _user_of(request))

    async def __acall__(self, request: KnownRequest) -> HttpResponseBase:
        _set(request, await _auser_of(request))
        response: HttpResponseBase = await self.get_response(request)
        return response


def _set(request: KnownRequest, user: User | None) -> None:
    request.preferences = Preferences.of(user or AnonymousUser())
    request.asker_id = user.pk if user else None


def _user_of(request: HttpRequest) -> User | None:
    """Return the user, or None if the database fails, so that the error page can be shown."""
    try:
        return request.user if request.user.is_authenticated else None
    except DatabaseError:
        return None


async def _auser_of(request: KnownRequest) -> User | None:
    """Return the user like `_user_of`, but read in a thread that keeps its connection."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None  # anonymous, without a query
    match = route_match(request)
    if match and match.view_name in WITHOUT_USER:
        return None
    try:
        user = await threads.readers.run(session_rights.user_of, request)
    except DatabaseError:
        return None
    request.user = user
    vars(request).update(_cached_user=user, _acached_user=user)  # where Django caches the user
    return user if user.is_authenticated else None
