"""Limit the requests of each user, so that none takes the server's time from others.

The cost of answers is counted in chat/quotas; this counts pages, titles and other requests of a few
milliseconds. Each process counts in memory: a shared count would cost more than most of the
requests.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.accounts.principals import address_for_limits
from chat.error_responses import error_response
from chat.errors import RateLimitExceeded
from chat.lib import metrics
from chat.lib.token_bucket import Deadlines, TokenBuckets

BURST_SECONDS = 10  # an idle client may send as many requests as this period allows at once
#: Health checks: a refusal would look like a failure.
EXEMPT_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})

#: Bodies that are not parsed; uploads of images have a limit of their own.
UNPARSED_PATHS = frozenset({"/chat/images/"})

#: Body size that counts as one more request, because it is parsed before anything is known.
BYTES_PER_REQUEST = 32 * 1024

buckets = TokenBuckets()
retry_deadlines = Deadlines()


class _RateMiddleware(ABC):
    """Return `refusal` of the request, if there is one."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    @abstractmethod
    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        """Return 429 with the seconds to wait, or None if the request may continue."""

    def __call__(self, request: HttpRequest) -> Any:
        if self.is_async:
            return self.__acall__(request)
        return self.refusal(request) or self.get_response(request)

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = self.refusal(request) or await self.get_response(request)
        return response


class RepeatedRequestMiddleware(_RateMiddleware):
    """Refuse clients that were told to wait and did not.

    Place this before sessions: determining the user is most of such a request's cost.
    """

    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        digest = _session_digest(request)
        wait_seconds = retry_deadlines.seconds_left(digest) if digest else 0.0
        if not wait_seconds or request.path_info in EXEMPT_PATHS:
            return None
        return _told(request, wait_seconds)


class RequestRateMiddleware(_RateMiddleware):
    """Refuse requests that are too frequent. Place after LocaleMiddleware, which sets the user."""

    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        key, per_second = _counted_as(request)
        if not key or not per_second or request.path_info in EXEMPT_PATHS:
            return None
        burst = per_second * BURST_SECONDS
        weight = min(_weight(request), burst / 2)
        wait_seconds = buckets.take(key, per_second, burst, weight)
        if not wait_seconds:
            return None
        if weight == 1:  # after a long body, a short request is still allowed
            retry_deadlines.remember(_session_digest(request), wait_seconds)
        return _told(request, wait_seconds)


def _told(request: HttpRequest, wait_seconds: float) -> HttpResponseBase:
    metrics.record_shed("requests")
    return error_response(request, RateLimitExceeded(retry_after_seconds=wait_seconds))


def _session_digest(request: HttpRequest) -> bytes:
    """Return a digest of the session cookie, which is secret; empty without one."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return hashlib.sha256(key.encode()).digest() if key else b""


def _weight(request: HttpRequest) -> float:
    """Return the request's weight: 1, or more for a long body."""
    length = request.headers.get("Content-Length", "")
    if request.path_info in UNPARSED_PATHS:
        return 1
    return 1 + int(length) // BYTES_PER_REQUEST if length.isdecimal() else 1


def _counted_as(request: HttpRequest) -> tuple[str, float]:
    """Return the key to count by (account or address), and its requests per second."""
    user_id = getattr(request, "asker_id", None)
    if user_id:
        return f"user:{user_id}", settings.MAX_MEMBER_REQUESTS_PER_SECOND
    address = address_for_limits(request)
    return address and f"address:{address}", settings.MAX_ADDRESS_REQUESTS_PER_SECOND
