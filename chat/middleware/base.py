"""Bases of our middleware, and of Django's and libraries' in async chains."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin


class Middleware:
    """Answer a request in `before`, or change its response in `after`.

    Both run on the event loop, so they must not query the database. A middleware that has to wait
    overrides `__acall__`.
    """

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def before(self, request: Any) -> HttpResponseBase | None:
        """Return a response in place of the view's, or None."""
        return None

    def after(self, request: Any, response: HttpResponseBase) -> HttpResponseBase:
        """Return the response to the request, which is not one of `before`."""
        return response

    def __call__(self, request: Any) -> Any:
        if self.is_async:
            return self.__acall__(request)
        return self.before(request) or self.after(request, self.get_response(request))

    async def __acall__(self, request: Any) -> HttpResponseBase:
        return self.before(request) or self.after(request, await self.get_response(request))


class OnEventLoop(MiddlewareMixin):
    """Runs the hooks of a middleware on the event loop; the first base, before the middleware.

    `MiddlewareMixin` runs each hook in a thread, because it might query the database. If a hook may
    have to, the class says when. In a synchronous chain, nothing changes.
    """

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
