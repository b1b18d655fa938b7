"""Strangers whose requests cannot be used, again and again, are refused before they are read.

What is refused costs nothing that a limit counts: no answer, no visitor. So the refusals are
counted, by network address, in each process.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest

from chat.accounts.principals import counted_address
from chat.errors import BadRequest, RateLimitExceeded
from chat.lib import metrics
from chat.lib.rate_window import MinuteCounter, seconds_left
from chat.web.http.json_body import RequestTooLong

MAX_REFUSALS_PER_MINUTE = 30

counter = MinuteCounter()


def require_usable(request: HttpRequest) -> None:
    """Raises `RateLimitExceeded` after too many refusals, and `RequestTooLong` for a long body."""
    require_few(counted_address(request))
    if len(request.body) > settings.MAX_VISITOR_BODY_BYTES:
        raise RequestTooLong


def require_few(key: str) -> None:
    """Raise `RateLimitExceeded` after too many refusals of this member or address."""
    if counter.count(key) >= MAX_REFUSALS_PER_MINUTE:
        metrics.shed("refused requests")
        raise RateLimitExceeded(retry_after_seconds=seconds_left())


@contextmanager
def counted(key: str) -> Iterator[None]:
    """Around the reading of a request: it is refused after too many that could not be used."""
    require_few(key)
    try:
        yield
    except BadRequest:
        counter.add(key)
        raise


def note_refusal(request: HttpRequest) -> None:
    """One more request from there that could not be used."""
    counter.add(counted_address(request))
