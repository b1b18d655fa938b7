"""What our middleware finds out about each request."""

from django.http import HttpRequest

from chat.accounts.preferences import Preferences


class KnownRequest(HttpRequest):
    """A request once LocaleMiddleware has seen it. A type only: nothing makes such an object.

    What refuses requests before that, or logs them all the same, asks by `getattr`.
    """

    preferences: Preferences
    #: The account of whoever asks, a visitor's included; None for anybody else.
    asker_id: int | None
    #: The account that this request has signed in; there is none on other requests.
    signed_in_id: int
