"""Keep to the limits of requests per minute of each provider, and of some of their models.

They are token buckets in the database, because the provider counts the requests of all processes
together.
"""

import asyncio
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from chat.database import threads
from chat.errors import OutOfCapacity, UpstreamBusy, UpstreamRateLimited
from chat.lib.catalogue import ProvidedModel
from chat.lib.limits import MINUTE_SECONDS, bucket_wait
from chat.quotas.models import UpstreamPace
from chat.upstream import factory

MAX_WAIT_SECONDS = 15.0
#: The share of a minute's requests that may be sent at once; the others follow at a steady rate.
#: Together they stay within the limit.
BURST = 0.2


async def wait_for_slot(model: ProvidedModel) -> None:
    """Wait until another request for this model may be sent.

    Raise `UpstreamRateLimited` if that takes too long, or `OutOfCapacity` if only this model is the
    cause, so that another one may answer.
    """
    seconds = 0.0
    if model.requests_per_minute:
        bucket = f"{model.provider} {model.id}"
        seconds = await _slot(model.requests_per_minute, bucket, OutOfCapacity)
    if per_minute := factory.requests_per_minute(model.provider):
        seconds = max(seconds, await _slot(per_minute, model.provider, UpstreamRateLimited))
    if seconds:
        await asyncio.sleep(seconds)


async def _slot(per_minute: int, bucket: str, refusal: type[UpstreamBusy]) -> float:
    seconds = await threads.writer.run(reserve_slot, per_minute, MAX_WAIT_SECONDS, bucket)
    if seconds > MAX_WAIT_SECONDS:
        raise refusal(detail="our own limit", retry_after_seconds=seconds)
    return seconds


@transaction.atomic
def reserve_slot(per_minute: int, longest_wait_seconds: float, bucket: str = "") -> float:
    """Take the next slot of a bucket; return the seconds until it is due.

    A slot that is due later than `longest_wait_seconds` is not taken.
    """
    paces = UpstreamPace.objects.filter(provider=bucket)
    if not paces.select_for_update().exists():
        UpstreamPace.objects.bulk_create([UpstreamPace(provider=bucket)], ignore_conflicts=True)
        paces.select_for_update().get()
    pace = paces.annotate(now=Now()).get()
    burst = max(1, int(per_minute * BURST))
    per_second = max(1, per_minute - burst) / MINUTE_SECONDS
    full_at = pace.free_at or pace.now
    wait_seconds, seconds_to_full = bucket_wait(
        (full_at - pace.now).total_seconds(), per_second, burst
    )
    if wait_seconds <= longest_wait_seconds:
        paces.update(free_at=pace.now + timedelta(seconds=seconds_to_full))
    return wait_seconds
