"""Refuse clients that keep sending invalid requests, before their bodies are parsed.

Refused requests create no answer and no visitor, so no quota counts them. This counts refusals by
network address, in each process.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest

from chat.accounts.principals import address_for_limits
from chat.errors import BadRequest, RateLimitExceeded
from chat.lib import metrics
from chat.lib.rate_window import MinuteCounter, seconds_left
from chat.web.http.json_body import RequestTooLong

MAX_REFUSALS_PER_MINUTE = 30

counter = MinuteCounter()


def require_usable(request: HttpRequest) -> None:
    """Raise `RateLimitExceeded` after too many refusals, `RequestTooLong` for a long body."""
    require_few(address_for_limits(request))
    if len(request.body) > settings.MAX_VISITOR_BODY_BYTES:
        raise RequestTooLong


def require_few(key: str) -> None:
    """Raise `RateLimitExceeded` after too many refusals of this member or address."""
    if counter.count(key) >= MAX_REFUSALS_PER_MINUTE:
        metrics.record_shed("invalid_requests")
        raise RateLimitExceeded(retry_after_seconds=seconds_left())


@contextmanager
def count_refusals(key: str) -> Iterator[None]:
    """Count `BadRequest`s raised in the block; raise `RateLimitExceeded` after too many."""
    require_few(key)
    try:
        yield
    except BadRequest:
        counter.add(key)
        raise


def count_refusal(request: HttpRequest) -> None:
    """Count an invalid request from the client's address."""
    counter.add(address_for_limits(request))
