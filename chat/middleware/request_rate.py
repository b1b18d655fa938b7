"""Bounds how many requests one person makes, so that whoever repeats them leaves time for others.

What an answer costs is counted in chat/quotas; this counts pages, titles and whatever else needs
a few milliseconds each. Each process counts for itself, in memory: a count that all share would
cost more than most of the requests.
"""

import hashlib
from abc import ABC, abstractmethod
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
from chat.lib.token_bucket import Deadlines, TokenBuckets

BURST_SECONDS = 10  # somebody who was quiet for this long has as much at once
#: What watches the process: a refusal would look as if it were down.
EXEMPT_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})

#: So much of a body counts as one request more: it is parsed before anybody knows what it is.
BYTES_OF_ONE = 32 * 1024

buckets = TokenBuckets()
told_to_wait = Deadlines()


class _RateMiddleware(ABC):
    """Answers with `refusal` of a request, if there is one."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    @abstractmethod
    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        """429 with the seconds to wait; None if the request may go on."""

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self.__acall__(request)
        return self.refusal(request) or self.get_response(request)

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = self.refusal(request) or await self.get_response(request)
        return response


class RepeatedRequestMiddleware(_RateMiddleware):
    """Refuses whoever was told to wait and has not.

    It comes before sessions: to find out who asks is most of what such a request costs.
    """

    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        digest = _session_digest(request)
        wait_seconds = told_to_wait.seconds_left(digest) if digest else 0.0
        if not wait_seconds or request.path_info in EXEMPT_PATHS:
            return None
        return _told(request, wait_seconds)


class RequestRateMiddleware(_RateMiddleware):
    """Refuses whoever asks too often. Comes after LocaleMiddleware, which finds out who asks."""

    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        key, per_second = _counted_as(request)
        if not key or not per_second or request.path_info in EXEMPT_PATHS:
            return None
        burst = per_second * BURST_SECONDS
        weight = min(_weight(request), burst / 2)
        wait_seconds = buckets.take(key, per_second, burst, weight)
        if not wait_seconds:
            return None
        if weight == 1:  # after a long body, a short request may go on
            told_to_wait.remember(_session_digest(request), wait_seconds)
        return _told(request, wait_seconds)


def _told(request: HttpRequest, wait_seconds: float) -> HttpResponseBase:
    metrics.shed("requests")
    return error_response(request, RateLimitExceeded(retry_after_seconds=wait_seconds))


def _session_digest(request: HttpRequest) -> bytes:
    """Of the session's cookie, which is a secret; empty where there is none."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return hashlib.sha256(key.encode()).digest() if key else b""


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
