"""Keep to the provider's limit of requests per minute."""

import asyncio

from chat.database import threads
from chat.errors import UpstreamRateLimited
from chat.lib.catalogue import ProvidedModel
from chat.quotas import request_pacer
from chat.upstream import factory

MAX_WAIT_SECONDS = 15.0


async def wait_for_slot(model: ProvidedModel) -> None:
    """Wait until another request for this model may be sent.

    Raise `UpstreamRateLimited` if that takes too long.

    The pace of a provider is shared by all processes, through the database.
    """
    per_minute = factory.requests_per_minute(model.provider)
    if not per_minute:
        return
    wait_seconds = await threads.writer.run(
        request_pacer.reserve_slot, per_minute, MAX_WAIT_SECONDS, model.provider
    )
    if wait_seconds > MAX_WAIT_SECONDS:
        raise UpstreamRateLimited(detail="our own limit", retry_after_seconds=wait_seconds)
    await asyncio.sleep(wait_seconds)
