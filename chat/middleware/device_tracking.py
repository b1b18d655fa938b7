"""Record when a member's device was last seen, and remember it after sign-in."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.accounts.sessions import devices, known_devices
from chat.middleware.base import Middleware


class DeviceMiddleware(Middleware):
    """Place this after CurrentUserMiddleware, which determines the user."""

    def before(self, request: HttpRequest) -> None:
        asker_id = getattr(request, "asker_id", None)
        if asker_id and request.session.session_key:
            agent = request.headers.get("User-Agent", "")
            devices.record_seen(request.session.session_key, agent)

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if user_id := getattr(request, "signed_in_id", None):
            known_devices.remember(request, response, user_id)
        return response
