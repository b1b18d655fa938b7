"""Answer `/healthz` before the middleware that it does not need.

Monitors and open pages ask often. The answer is the same for everybody, so there is no session to
read, no language to choose and nobody to limit; it gets the same security headers as any other.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from asgiref.sync import async_to_sync, iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, resolve

from chat.web.ops import health

PATH = "/healthz"


class HealthCheckMiddleware:
    """Place this after the middleware that sets security headers."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info != PATH:
            return self.get_response(request)
        request.get_host()  # raises DisallowedHost, as CommonMiddleware would
        request.resolver_match = _route()  # for the request log
        return (
            self._answer(request)
            if iscoroutinefunction(self)
            else async_to_sync(self._answer)(request)
        )

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        response = await health.alive(request)
        response.headers["Content-Length"] = str(len(response.content))
        return response


@cache
def _route() -> ResolverMatch:
    return resolve(PATH)
