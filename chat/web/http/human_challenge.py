"""Verify that a new visitor is human, with a service such as Turnstile.

The service's URL and secret are settings; without them the check is disabled. The service receives
only the visitor's answer to the challenge.
"""

import asyncio
import logging

import httpx
from django.conf import settings

from chat.upstream.sockets.transport import SocketTransport
from chat.widget_sites.errors import ChallengeRequired, ChallengeUnavailable

log = logging.getLogger(__name__)

HEADER = "X-Challenge"
WAIT_SECONDS = 5.0
MAX_RESPONSE_CHARS = 2048  # characters, according to Turnstile's documentation


async def require_human(answer: str) -> None:
    """Raise `ChallengeRequired` unless the service accepts `answer`, which is valid only once."""
    if not settings.CHALLENGE_URL:
        return
    if not answer or len(answer) > MAX_RESPONSE_CHARS or not await _is_verified(answer):
        raise ChallengeRequired


async def _is_verified(answer: str) -> bool:
    form = {"secret": settings.CHALLENGE_SECRET, "response": answer}
    try:
        async with (
            asyncio.timeout(WAIT_SECONDS),
            httpx.AsyncClient(
                transport=SocketTransport(), timeout=WAIT_SECONDS, trust_env=False
            ) as client,
        ):
            response = await client.post(settings.CHALLENGE_URL, data=form)
            verdict = response.raise_for_status().json()
    except (httpx.HTTPError, ValueError, TimeoutError) as error:
        log.warning("the challenge can't be verified: %s", type(error).__name__)
        raise ChallengeUnavailable(retry_after_seconds=5) from None
    return isinstance(verdict, dict) and verdict.get("success") is True
