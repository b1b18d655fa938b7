"""A site with a second model provider, which speaks OpenAI's protocol."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from django.test import override_settings

from chat.lib.catalogue import Model, Provider
from chat.upstream.catalogue import current as current_catalogue
from tests.support.upstream.raw_upstream import Handler, RawUpstream, raw_upstream
from tests.support.upstream.upstream_override import site_with

TOKEN = "second-secret"
FIRST = Model(
    id="@cf/house/first",
    context_window=8000,
    input_usd_per_million=1,
    output_usd_per_million=1,
    family="native",
)
SECOND = Model(
    id="house/second",
    id_there="second-large",
    context_window=8000,
    provider="second",
    input_usd_per_million=1000,
    output_usd_per_million=2000,
)


@asynccontextmanager
async def two_providers(
    first: Handler, second: Handler, per_minute: int = 0, **settings: Any
) -> AsyncIterator[tuple[RawUpstream, RawUpstream]]:
    """Let `first` answer for the provider in the settings, and `second` for the other one."""
    async with raw_upstream(second) as other:
        provider = Provider(
            name="second",
            base_url=other.url.replace("/client/v4", "/v1"),
            token_variable="SECOND_TOKEN",
            requests_per_minute=per_minute,
        )
        changed = {
            "MODELS": {FIRST.id: FIRST, SECOND.id: SECOND},
            "PROVIDERS": {"second": provider},
            "PROVIDER_TOKENS": {"SECOND_TOKEN": TOKEN},
            "CLOUDFLARE_API_TOKEN": "first-secret",
            "CLOUDFLARE_ACCOUNT_ID": "abc",
        }
        with override_settings(**changed):
            current_catalogue.forget()
            try:
                async with site_with(first, **settings) as raw:
                    yield raw, other
            finally:
                current_catalogue.forget()
