"""Run the fast hooks of Django's and libraries' middleware on the event loop.

`MiddlewareMixin` runs each hook in a thread, because it might query the database. These do not,
which saves an async request about fifteen thread hops. If a hook may have to query, its class here
says when. In a synchronous chain, nothing changes.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.messages.storage import default_storage
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject, empty

from chat.middleware.routes import route_match


class OnEventLoop(MiddlewareMixin):
    """Use as the first base of a class that derives from `MiddlewareMixin`."""

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        hook: Any = getattr(self, "process_request", None)
        response: HttpResponseBase | None = hook(request) if hook else None
        response = response or await self.get_response(request)  # type: ignore[misc]
        hook = getattr(self, "process_response", None)
        if hook is None:
            return response
        if self.may_block(request):
            response = await sync_to_async(hook)(request, response)
        else:
            response = hook(request, response)
        return response

    def may_block(self, request: HttpRequest) -> bool:
        """Return True if `process_response` may query the database."""
        return False


class Security(OnEventLoop, SecurityMiddleware):
    pass


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
    """Read messages only when a page shows them or a view adds one."""

    def process_request(self, request: HttpRequest) -> None:
        storage = SimpleLazyObject(partial(default_storage, request))
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

    async def _aprocess_view(self, request: HttpRequest, *given: Any) -> Any:
        check: Callable[..., Any] = super().process_view
        if request.method == "POST" and _has_form(request):
            return await sync_to_async(check)(request, *given)  # it parses the form
        return check(request, *given)


def _has_form(request: HttpRequest) -> bool:
    return request.content_type != "application/json"
