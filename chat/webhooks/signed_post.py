"""Post JSON to somebody's address, signed with a secret that they were shown.

The signature is the one that Stripe uses: an HMAC of the time and the body, so that a request that
somebody recorded cannot be repeated later.
"""

import asyncio
import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Mapping
from typing import Any

import httpx
import msgspec

from chat.errors import BadRequest
from chat.widget_sites.site_check.public_requests import public_request

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10.0
SECRET_BYTES = 32
SIGNATURE_HEADER = "Runnel-Signature"


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def signature(secret: str, body: bytes, now: int) -> str:
    """Return the value of the header: `t=<unix time>,v1=<HMAC-SHA256 of "time.body">`."""
    digest = hmac.new(secret.encode(), b"%d.%b" % (now, body), hashlib.sha256).hexdigest()
    return f"t={now},v1={digest}"


async def signed_post(address: str, secret: str, content: Mapping[str, Any]) -> bool:
    """Return whether the server accepted it, with any status from 200 to 299."""
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
            return response.is_success
    except (BadRequest, TimeoutError, httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        log.info("a webhook failed: %s", type(error).__name__)
        return False
