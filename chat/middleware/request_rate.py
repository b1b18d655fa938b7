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
from chat.error_responses import error_response
from chat.errors import RateLimitExceeded
from chat.lib import metrics
from chat.lib.token_bucket import TokenBuckets

BURST_SECONDS = 10  # somebody who was quiet for this long has as much at once
#: What watches the process: a refusal would look as if it were down.
EXEMPT_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})

#: So much of a body counts as one request more: it is parsed before anybody knows what it is.
BYTES_OF_ONE = 32 * 1024

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
    burst = per_second * BURST_SECONDS
    wait_seconds = buckets.take(key, per_second, burst, min(_weight(request), burst / 2))
    if not wait_seconds:
        return None
    metrics.shed("requests")
    return error_response(request, RateLimitExceeded(retry_after_seconds=wait_seconds))


def _weight(request: HttpRequest) -> float:
    """1, and more for a long body."""
    length = request.headers.get("Content-Length", "")
    return 1 + int(length) // BYTES_OF_ONE if length.isdecimal() else 1


def _counted_as(request: HttpRequest) -> tuple[str, float]:
    """A member by their account, anybody else by their address; and how many requests a second."""
    user_id = getattr(request, "asker_id", None)
    if user_id:
        return f"user:{user_id}", settings.MAX_MEMBER_REQUESTS_PER_SECOND
    address = counted_address(request)
    return address and f"address:{address}", settings.MAX_ADDRESS_REQUESTS_PER_SECOND
