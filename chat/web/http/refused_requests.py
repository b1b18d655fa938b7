"""Refuse clients that keep sending invalid requests, before their bodies are parsed.

Refused requests create no answer and no visitor, so no quota counts them. This counts refusals by
network address, in each process.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest

from chat.accounts.principals import address_for_limits
from chat.errors import BadRequest
from chat.lib.limits import WindowCounters
from chat.web.http.json_body import RequestTooLong

MAX_REFUSALS_PER_MINUTE = 30

counter = WindowCounters("invalid_requests", MAX_REFUSALS_PER_MINUTE)


@contextmanager
def count_refusals(key: str) -> Iterator[None]:
    """Count `BadRequest`s raised in the block; raise `RateLimitExceeded` after too many."""
    counter.require(key)
    try:
        yield
    except BadRequest:
        counter.add(key)
        raise


@contextmanager
def limit_visitor(request: HttpRequest, *, is_file: bool = False) -> Iterator[None]:
    """Count those of the client's address; raise `RequestTooLong` for a long body.

    A file has a limit of its own.
    """
    address = address_for_limits(request)
    counter.require(address)
    if not is_file and len(request.body) > settings.MAX_VISITOR_BODY_BYTES:
        raise RequestTooLong
    with count_refusals(address):
        yield
