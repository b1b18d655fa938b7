"""Check before each page of an inbox that the user is in the site's team."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache

from chat.inbox import inbox_list
from chat.inbox.team_access import Inbox, inbox_of
from chat.web.http.js_catalog import catalog
from chat.web.http.typed_requests import MemberRequest
from chat.web.http.typed_responses import PageResponse, render_page

View = Callable[..., HttpResponseBase]


def for_team(view: View) -> View:
    """Decorate a view to receive an `Inbox` in place of the site's key; strangers get 404."""

    @wraps(view)
    def checked(request: MemberRequest, key: str, **place: Any) -> HttpResponseBase:
        return view(request, inbox_of(request.user, key), **place)

    return never_cache(login_required(checked))


def show(
    request: MemberRequest, inbox: Inbox, template: str, context: dict[str, Any], status: int = 200
) -> PageResponse:
    """Render a page of the inbox with the context that all of them share."""
    waiting = inbox_list.count(inbox, inbox_list.WAITING)
    shared = {"inbox": inbox, "site": inbox.site, "is_inbox": True, "waiting": waiting}
    shared["mine"] = inbox_list.count(inbox, inbox_list.MINE)
    shared["js_catalog"] = catalog()
    response = render_page(request, f"inbox/{template}", shared | context, status=status)
    response.watches = True  # its scripts may connect: see chat/middleware/content_security.py
    return response
