"""Connect the site to another model provider during a test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from django.test import AsyncClient, override_settings

from chat.generations.task import registry
from chat.upstream import factory
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.upstream.raw_upstream import Handler, RawUpstream, raw_upstream

#: For tests with a model that never says anything. Where something else is expected of it, a busy
#: machine would reach these limits first: there, the site's own are long enough.
IMPATIENT = {f"UPSTREAM_{name}_SECONDS": 0.5 for name in ("FIRST_BYTE", "IDLE", "CONTENT")}
#: For tests with a model that stops after words that it sends in one piece with its headers.
IMPATIENT_LATER = {"UPSTREAM_IDLE_SECONDS": 0.5}


@asynccontextmanager
async def site_with(handler: Handler, **settings: Any) -> AsyncIterator[RawUpstream]:
    """Use `handler` as the upstream; afterwards, stop generations and close its client."""
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
    """Send `POST /chat/stream` as the page does."""
    return await client.post(
        "/chat/stream",
        data=body,
        content_type="application/json",
        headers={**SAME_ORIGIN, **headers},
    )
