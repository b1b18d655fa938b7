"""Run the fast hooks of Django's middleware on the event loop.

This saves an async request about fifteen thread hops. If a hook may have to query the database, its
class says when.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.functional import SimpleLazyObject, empty

from chat.middleware.base import OnEventLoop
from chat.middleware.routes import route_match
from chat.web.http.message_storage import NewestMessages
from chat.web.http.origin import has_hidden_origin


class Security(OnEventLoop, SecurityMiddleware):
    """Add Django's security headers, and keep out of caches what no view allows to be kept.

    Pages of libraries, such as allauth's, set no `Cache-Control` of their own.
    """

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        response.headers.setdefault("Cache-Control", "no-store")
        return super().process_response(request, response)


class Common(OnEventLoop, CommonMiddleware):
    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return route_match(request) is None and super().should_redirect_with_slash(request)


class Authentication(OnEventLoop, AuthenticationMiddleware):
    pass


class ClickjackingProtection(OnEventLoop, XFrameOptionsMiddleware):
    pass


class Sessions(OnEventLoop, SessionMiddleware):
    def may_block(self, request: HttpRequest) -> bool:
        return request.session.modified  # then it is saved


class Messages(OnEventLoop, MessageMiddleware):
    """Read messages only when a page shows them or a view adds one, and keep few."""

    def process_request(self, request: HttpRequest) -> None:
        storage = SimpleLazyObject(partial(NewestMessages, request))
        request._messages = storage  # type: ignore[attr-defined]

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        return super().process_response(request, response) if _is_read(request) else response

    def may_block(self, request: HttpRequest) -> bool:
        if not _is_read(request):
            return False
        storage = request._messages  # type: ignore[attr-defined]
        return bool(storage.used or storage.added_new)  # messages too long for a cookie are stored


def _is_read(request: HttpRequest) -> bool:
    return vars(request)["_messages"]._wrapped is not empty


class CsrfProtection(OnEventLoop, CsrfViewMiddleware):
    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        if self.async_mode:
            self.process_view = self._aprocess_view  # type: ignore[method-assign,assignment]

    async def _aprocess_view(self, request: HttpRequest, *view_args: Any) -> Any:
        check: Callable[..., Any] = super().process_view
        if request.method == "POST" and _has_form(request):
            return await sync_to_async(check)(request, *view_args)  # it parses the form
        return check(request, *view_args)

    def _origin_verified(self, request: HttpRequest) -> bool:
        return has_hidden_origin(request) or super()._origin_verified(request)  # type: ignore[misc]


def _has_form(request: HttpRequest) -> bool:
    return request.content_type != "application/json"
