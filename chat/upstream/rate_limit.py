"""Keep to the provider's limit of requests per minute."""

import asyncio

from django.conf import settings

from chat.database import threads
from chat.errors import UpstreamRateLimited
from chat.quotas import request_pacer

MAX_WAIT_SECONDS = 15.0


async def wait_for_slot() -> None:
    """Wait until another request may be sent; raise `UpstreamRateLimited` if that takes too long.

    The pace is shared by all processes, through the database.
    """
    per_minute = settings.UPSTREAM_REQUESTS_PER_MINUTE
    if not per_minute:
        return
    wait_seconds = await threads.writer.run(
        request_pacer.reserve_slot, per_minute, MAX_WAIT_SECONDS
    )
    if wait_seconds > MAX_WAIT_SECONDS:
        raise UpstreamRateLimited(detail="our own limit", retry_after_seconds=wait_seconds)
    await asyncio.sleep(wait_seconds)
