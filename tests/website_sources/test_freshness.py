"""A page that visitors saw change is read again first; what they say of it is never knowledge."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from chat.knowledge.models import Document
from chat.website_sources import crawls
from chat.website_sources import pages as stored_pages
from chat.website_sources.models import WebsitePage
from tests.support.web.crawled_site import CrawledSite, page
from tests.support.widget.visitor_client import Visiting, visit

FIRST, SECOND, THIRD = "0" * 16, "1" * 16, "2" * 16
NEW = "The prices have changed today. " * 10


@pytest.fixture
async def vera(crawled: CrawledSite) -> Visiting:
    """Return a visitor of a website of two pages that were read."""
    crawled.show_sitemap("/prices", "/people")
    crawled.show("/people")
    crawled.show("/prices")
    await crawled.add_sitemap()
    await crawled.crawl()
    crawled.pages.requests.clear()
    return await visit(crawled.site)


async def report(vera: Visiting, crawled: CrawledSite, path: str, seen: str) -> Any:
    return await vera.post("page", {"address": f"{crawled.origin}{path}", "hash": seen})


async def ignored_for() -> timedelta | None:
    row = await WebsitePage.objects.aget(address__endswith="/prices")
    return row.ignored_until and row.ignored_until - timezone.now()


async def test_a_page_that_looks_new_is_read_again_first(
    vera: Visiting, crawled: CrawledSite
) -> None:
    crawled.show("/prices", page(NEW))
    await WebsitePage.objects.filter(address__endswith="/people").aupdate(due_at=timezone.now())
    response = await report(vera, crawled, "/prices?utm_source=mail#top", FIRST)
    assert response.status_code == 204
    await crawled.crawl()
    assert crawled.requested == ["/prices", "/people"]
    documents = Document.objects.select_related("content")
    assert NEW.strip() in (await documents.aget(address__endswith="/prices")).content.text
    await report(vera, crawled, "/prices", FIRST)
    await crawled.crawl()
    assert len(crawled.requested) == 2


async def test_reports_of_a_page_that_differs_each_time_are_ignored_for_longer_each_time(
    vera: Visiting, crawled: CrawledSite
) -> None:
    waits = []
    for seen in (FIRST, SECOND, THIRD):
        await report(vera, crawled, "/prices", seen)
        await crawled.crawl()
        waits.append(await ignored_for())
        await report(vera, crawled, "/prices", "f" * 16)  # ignored
        await crawled.crawl()
        await WebsitePage.objects.aupdate(ignored_until=None)
    assert crawled.requested == ["/prices"] * 3
    assert [round(each.total_seconds() / 60) for each in waits if each] == [1, 2, 4]


@pytest.mark.parametrize("path", ["/unknown", "/people/../secret"])
async def test_addresses_outside_of_the_sources_are_ignored(
    vera: Visiting, crawled: CrawledSite, path: str
) -> None:
    assert (await report(vera, crawled, path, FIRST)).status_code == 204
    await crawled.crawl()
    assert crawled.requested == []


async def test_nothing_is_asked_of_visitors_if_the_owner_has_switched_it_off(
    vera: Visiting, crawled: CrawledSite
) -> None:
    assert (await vera.begin()).json()["site"]["watches_pages"] is True
    crawled.site.watches_pages = False
    await crawled.site.asave()
    assert (await vera.begin()).json()["site"]["watches_pages"] is False
    await report(vera, crawled, "/prices", FIRST)
    await crawled.crawl()
    assert crawled.requested == []


async def test_a_visitor_reports_few_pages(vera: Visiting, crawled: CrawledSite) -> None:
    statuses = [(await report(vera, crawled, "/x", FIRST)).status_code for _each in range(7)]
    assert statuses == [204] * 6 + [429]
    assert (await report(vera, crawled, "/x", "not a hash")).status_code in {400, 422}


async def test_a_report_while_the_page_is_read_counts(vera: Visiting, crawled: CrawledSite) -> None:
    await report(vera, crawled, "/prices", FIRST)
    taken = await WebsitePage.objects.aget(address__endswith="/prices")
    await report(vera, crawled, "/prices", SECOND)
    await sync_to_async(stored_pages.record_result)(taken, WebsitePage.State.READ)
    await sync_to_async(crawls.wake)(crawled.site.pk)
    await crawled.crawl()
    assert crawled.requested == ["/prices"]
