"""Bounds how many requests one person makes, so that whoever repeats them leaves time for others.

What an answer costs is counted in chat/quotas; this counts pages, titles and whatever else needs
a few milliseconds each. Each process counts for itself, in memory: a count that all share would
cost more than most of the requests.
"""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.accounts.principals import counted_address
from chat.errors import TooOften
from chat.lib import metrics
from chat.lib.token_bucket import TokenBuckets
from chat.middleware import error_response

BURST_SECONDS = 10  # somebody who was quiet for this long has as much at once
#: What watches the process: a refusal would look as if it were down.
EXEMPT_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})

buckets = TokenBuckets()


class RequestRateMiddleware:
    """Answers 429 to who asks too often. Comes after LocaleMiddleware, which finds out who asks."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self.__acall__(request)
        return _refusal(request) or self.get_response(request)

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = _refusal(request) or await self.get_response(request)
        return response


def _refusal(request: HttpRequest) -> HttpResponseBase | None:
    """429 with the seconds to wait; None where the request may go on."""
    key, per_second = _counted_as(request)
    if not key or not per_second or request.path_info in EXEMPT_PATHS:
        return None
    wait_seconds = buckets.take(key, per_second, per_second * BURST_SECONDS)
    if not wait_seconds:
        return None
    metrics.shed("requests")
    return error_response(request, TooOften(retry_after_seconds=wait_seconds))


def _counted_as(request: HttpRequest) -> tuple[str, float]:
    """A member by their account, anybody else by their address; and how many requests a second."""
    user_id = getattr(request, "asker_id", None)
    if user_id:
        return f"user:{user_id}", settings.MAX_MEMBER_REQUESTS_PER_SECOND
    address = counted_address(request)
    return address and f"address:{address}", settings.MAX_ADDRESS_REQUESTS_PER_SECOND
