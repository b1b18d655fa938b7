"""Post a notice to the address that a site's owner has set, signed with the site's secret.

The signature is the one that Stripe uses: an HMAC of the time and the body, so that a request that
somebody recorded cannot be repeated later.
"""

import asyncio
import hashlib
import hmac
import logging
import secrets
import time

import httpx
import msgspec

from chat.errors import BadRequest
from chat.inbox.models import SiteNotice
from chat.inbox.notice_mail import chat_url
from chat.widget_sites.models import WidgetSite
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


async def send(notice: SiteNotice) -> bool:
    """Return whether the server accepted it, with any status from 200 to 299."""
    site = notice.site
    if not site.webhook_url:  # it was removed meanwhile
        return True
    body = _body(notice, site)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Runnel",
        SIGNATURE_HEADER: signature(site.webhook_secret, body, int(time.time())),
    }
    try:
        url = httpx.URL(site.webhook_url)
        async with (
            asyncio.timeout(TIMEOUT_SECONDS),  # in total: a server could send byte after byte
            public_request("POST", url, headers, TIMEOUT_SECONDS, body) as response,
        ):
            return response.is_success
    except (BadRequest, TimeoutError, httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        log.info("a webhook of site %s failed: %s", site.pk, type(error).__name__)
        return False


def _body(notice: SiteNotice, site: WidgetSite) -> bytes:
    return msgspec.json.encode(
        {
            "id": str(notice.pk),  # the same for each try
            "event": str(notice.kind),
            "site": site.key,
            "conversation": str(notice.conversation),
            "url": chat_url(notice),
            "created_at": notice.created_at.isoformat(),
        }
    )
