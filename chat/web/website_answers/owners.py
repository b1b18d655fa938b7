"""Check before a page about what visitors wrote that the user may change the site.

Reading there is recorded like reading in the inbox.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http.response import HttpResponseBase

from chat.accounts.models import User
from chat.errors import NotFound
from chat.inbox.team_access import Inbox, inbox_of
from chat.web.http.typed_requests import MemberRequest
from chat.web.inbox.team_requests import for_team

View = Callable[..., HttpResponseBase]


def owners_inbox(user: User, key: str) -> Inbox:
    """Return the inbox of a site that the user may change. Raise `NotFound`."""
    return _managed(inbox_of(user, key))


def for_owners(view: View) -> View:
    """Decorate a view to receive an `Inbox` in place of the site's key; others get 404."""

    @wraps(view)
    def checked(request: MemberRequest, inbox: Inbox, **place: Any) -> HttpResponseBase:
        return view(request, _managed(inbox), **place)

    return for_team(checked)


def _managed(inbox: Inbox) -> Inbox:
    if not inbox.may_manage:
        raise NotFound
    return inbox
