"""Pointing the site at another model's side for the length of a test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from django.test import AsyncClient, override_settings

from chat.generations.task import registry
from chat.upstream import factory
from tests.support.raw_upstream import Handler, RawUpstream, raw_upstream
from tests.support.streams import SAME_ORIGIN

#: For a test that waits for a model that says nothing; no machine is busy enough to make others
#: fail by the limits of the site.
IMPATIENT = {f"UPSTREAM_{name}_SECONDS": 0.5 for name in ("FIRST_BYTE", "IDLE", "CONTENT")}


@asynccontextmanager
async def site_with(handler: Handler, **settings: Any) -> AsyncIterator[RawUpstream]:
    """The site's upstream is `handler`; its client is closed, and generations end, afterwards."""
    async with raw_upstream(handler) as raw:
        with override_settings(WORKERS_AI_BASE_URL=raw.url, **settings):
            try:
                yield raw
            finally:
                for generation in registry.running():
                    generation.stop()
                    await generation.done()
                await factory.close()


async def ask(client: AsyncClient, body: Any, **headers: str) -> Any:
    """`POST /chat/stream` as the page does it."""
    return await client.post(
        "/chat/stream",
        data=body,
        content_type="application/json",
        headers={**SAME_ORIGIN, **headers},
    )
