"""The attributes that our middleware adds to requests."""

from django.http import HttpRequest

from chat.accounts.preferences import Preferences


class KnownRequest(HttpRequest):
    """A request after CurrentUserMiddleware, for type annotations only.

    Code that runs before it, or logs every request, must use `getattr`.
    """

    preferences: Preferences
    #: The account that made the request, including a visitor's; None for anonymous requests.
    asker_id: int | None
    #: The account that signed in with this request; unset on all others.
    signed_in_id: int
