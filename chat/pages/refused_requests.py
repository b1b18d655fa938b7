"""Strangers whose requests cannot be used, again and again, are refused before they are read.

What is refused costs nothing that a limit counts: no answer, no visitor. So the refusals are
counted, by network address, in each process.
"""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from chat.accounts.principals import counted_address
from chat.errors import BadRequest, TooOften
from chat.lib import metrics
from chat.lib.rate_window import MinuteCounter, seconds_left

MAX_REFUSALS_PER_MINUTE = 30

counter = MinuteCounter()


class RequestTooLong(BadRequest):
    """413: longer than what a website's visitors may send."""

    code, status = "body_too_long", 413
    text = _("This is longer than the site takes. Your text is kept. Shorten it.")


def require_usable(request: HttpRequest) -> None:
    """Raises `TooOften` after too many refusals, and `RequestTooLong` for a long body."""
    require_few(counted_address(request))
    if len(request.body) > settings.MAX_VISITOR_BODY_BYTES:
        raise RequestTooLong


def require_few(key: str) -> None:
    """Raise `TooOften` after too many refusals of this key, which is a member's or an address."""
    if counter.count(key) >= MAX_REFUSALS_PER_MINUTE:
        metrics.shed("refused requests")
        raise TooOften(retry_after_seconds=seconds_left())


def note_refusal(request: HttpRequest) -> None:
    """One more request from there that could not be used."""
    counter.add(counted_address(request))
