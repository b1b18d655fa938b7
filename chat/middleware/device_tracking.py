"""Record when a member's device was last seen, and remember it after sign-in."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.accounts.sessions import devices, known_devices


class DeviceMiddleware:
    """Place this after LocaleMiddleware, which determines the user."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        _note(request)
        if self.is_async:
            return self.__acall__(request)
        return _remembered(request, self.get_response(request))

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        return _remembered(request, await self.get_response(request))


def _note(request: HttpRequest) -> None:
    asker_id = getattr(request, "asker_id", None)
    if asker_id and request.session.session_key:
        devices.record_seen(request.session.session_key, request.headers.get("User-Agent", ""))


def _remembered(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if user_id := getattr(request, "signed_in_id", None):
        known_devices.remember(request, response, user_id)
    return response
