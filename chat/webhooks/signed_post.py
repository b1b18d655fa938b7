"""Post JSON to somebody's address, signed with a secret that they were shown.

The signature is the one that Stripe uses: an HMAC of the time and the body, so that a request that
somebody recorded cannot be repeated later.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import msgspec

from chat.database import threads
from chat.errors import BadRequest
from chat.fetching.public_requests import public_request
from chat.outbox.deliver import DeliveryKind
from chat.outbox.errors import DeliveryFailed, DeliveryRefused
from chat.outbox.models import Delivery
from chat.webhooks import attempts
from chat.webhooks.attempts import WebhookAttempt

TIMEOUT_SECONDS = 10.0
LEASE = timedelta(minutes=1)
#: Of each kind, in one process.
AT_ONCE = 20
ACCEPTED, REFUSED = range(200, 300), range(400, 500)  # statuses
#: Of those that refuse: the server was slow or busy, so it is tried again as often as others.
TEMPORARY = {408, 425, 429}
#: A server may be wrong for half an hour, while somebody changes it.
ATTEMPTS_IF_REFUSED = 4
SECRET_BYTES = 32
SIGNATURE_HEADER = "Runnel-Signature"


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def signature(secret: str, body: bytes, now: int) -> str:
    """Return the value of the header: `t=<unix time>,v1=<HMAC-SHA256 of "time.body">`."""
    digest = hmac.new(secret.encode(), b"%d.%b" % (now, body), hashlib.sha256).hexdigest()
    return f"t={now},v1={digest}"


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """What to post, and where."""

    address: str
    secret: str
    content: Mapping[str, Any]


def kind(
    name: str,
    request_of: Callable[[Delivery], SignedRequest | None],
    attempt_of: Callable[[Delivery], WebhookAttempt | None] | None = None,
) -> DeliveryKind:
    """Return a kind of deliveries by webhook. `request_of` makes one; None: nobody is to get it.

    The content gets the ID of the delivery, the same for each attempt, and its time. Each attempt
    is kept in the row that `attempt_of` makes for it, if there is one.
    """

    def keep(delivery: Delivery, error: str) -> None:
        if attempt_of and (attempt := attempt_of(delivery)):
            attempts.keep(attempt, delivery, error)

    async def deliver(delivery: Delivery) -> None:
        request = await threads.readers.run(request_of, delivery)
        if request is None:
            return
        own = {"id": str(delivery.pk), "created_at": delivery.created_at.isoformat()}
        try:
            await post(request.address, request.secret, {**own, **request.content})
        except DeliveryFailed as error:
            await threads.writer.run(keep, delivery, str(error))
            raise
        await threads.writer.run(keep, delivery, "")

    return DeliveryKind(name, deliver, LEASE, AT_ONCE)


async def post(address: str, secret: str, content: Mapping[str, Any]) -> None:
    """Return if the server accepted it, with any status from 200 to 299. Raise `DeliveryFailed`."""
    body = msgspec.json.encode(content)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Runnel",
        SIGNATURE_HEADER: signature(secret, body, int(time.time())),
    }
    try:
        url = httpx.URL(address)
        async with (
            asyncio.timeout(TIMEOUT_SECONDS),  # in total: a server could send byte after byte
            public_request("POST", url, headers, TIMEOUT_SECONDS, body) as response,
        ):
            status = response.status_code
    except (BadRequest, TimeoutError, httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise DeliveryFailed(type(error).__name__) from error
    if status in ACCEPTED:
        return
    if status in REFUSED and status not in TEMPORARY:
        raise DeliveryRefused(f"status {status}", ATTEMPTS_IF_REFUSED)
    raise DeliveryFailed(f"status {status}")
