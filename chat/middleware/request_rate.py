"""Limit the requests of each user, so that none takes the server's time from others.

The cost of answers is counted in chat/quotas; this counts pages, titles and other requests of a few
milliseconds. Each process counts in memory: a shared count would cost more than most of the
requests.
"""

import hashlib
import re

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from chat.accounts.principals import address_for_limits
from chat.error_responses import error_response
from chat.lib.limits import Deadlines, TokenBuckets, refusal
from chat.lib.scope_keys import RECEIVED_BYTES
from chat.middleware.base import Middleware

BURST_SECONDS = 10  # an idle client may send as many requests as this period allows at once
#: Health checks: a refusal would look like a failure.
EXEMPT_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})

#: Bodies that are not parsed here; these uploads have limits of their own.
UNPARSED_PATHS = frozenset(
    {"/chat/images/", "/chat/documents/", "/collections/files/", "/inbound-mail/mime"}
)
UNPARSED_OF_VISITORS = re.compile(r"/w/[^/]+/(images|documents)/")

#: Body size that counts as one more request, because it is parsed before anything is known.
BYTES_PER_REQUEST = 32 * 1024

buckets = TokenBuckets()
retry_deadlines: Deadlines[bytes] = Deadlines()


class RepeatedRequestMiddleware(Middleware):
    """Refuse clients that were told to wait and did not.

    Place this before sessions: determining the user is most of such a request's cost.
    """

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        wait_seconds = retry_deadlines.seconds_left(_session_digest(request))
        if not wait_seconds or request.path_info in EXEMPT_PATHS:
            return None
        return error_response(request, refusal("requests", wait_seconds))


class RequestRateMiddleware(Middleware):
    """Refuse requests that are too frequent. Place after CurrentUserMiddleware."""

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        key, per_second = _counted_as(request)
        if not key or not per_second or request.path_info in EXEMPT_PATHS:
            return None
        burst = per_second * BURST_SECONDS
        weight = min(_weight(request), burst / 2)
        wait_seconds = buckets.take(key, per_second, burst, weight)
        if not wait_seconds:
            return None
        # after a long body, a short request is still allowed
        if weight == 1 and (digest := _session_digest(request)):
            retry_deadlines.start(digest, wait_seconds)
        return error_response(request, refusal("requests", wait_seconds))


def _session_digest(request: HttpRequest) -> bytes:
    """Return a digest of the session cookie, which is secret; empty without one."""
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return hashlib.sha256(key.encode()).digest() if key else b""


def _weight(request: HttpRequest) -> float:
    """Return the request's weight: 1, or more for a long body."""
    if request.path_info in UNPARSED_PATHS or UNPARSED_OF_VISITORS.fullmatch(request.path_info):
        return 1
    return 1 + _body_bytes(request) // BYTES_PER_REQUEST


def _body_bytes(request: HttpRequest) -> int:
    """Return the length of the body. One that is sent in chunks announces none."""
    received = getattr(request, "scope", {}).get(RECEIVED_BYTES)  # none under WSGI
    if received:
        return int(received())
    length = request.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else 0


def _counted_as(request: HttpRequest) -> tuple[str, float]:
    """Return the key to count by (account or address), and its requests per second."""
    user_id = getattr(request, "asker_id", None)
    if user_id:
        return f"user:{user_id}", settings.MAX_MEMBER_REQUESTS_PER_SECOND
    address = address_for_limits(request)
    return address and f"address:{address}", settings.MAX_ADDRESS_REQUESTS_PER_SECOND
