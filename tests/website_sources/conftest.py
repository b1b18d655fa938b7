"""A website of alice on this machine, and its crawl without pauses."""

from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from pytest_django import Settings

from chat.accounts.models import User
from chat.website_sources import requests, robots
from tests.support.browser.website import Website, website
from tests.support.web.crawled_site import CrawledSite
from tests.support.widget.visitor_client import make_site


@pytest.fixture
async def pages() -> AsyncIterator[Website]:
    async with website() as shop:
        yield shop


@pytest.fixture
async def crawled(
    alice: User,
    pages: Website,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    no_network_jobs: None,
    stop_server_process: None,
) -> CrawledSite:
    """Return a website whose pages are read when a test says so."""
    settings.CHECK_LOCAL_SITES = True
    monkeypatch.setattr(robots, "LEAST_DELAY_SECONDS", 0.0)
    monkeypatch.setattr(requests, "UNCONFIRMED_SECONDS", 0.0)
    origin = f"http://127.0.0.1:{pages.port}"
    site = await sync_to_async(make_site)(alice, origins=[origin])
    pages.show("/robots.txt", "", status="404 Not Found")
    return CrawledSite(site, pages, origin)
