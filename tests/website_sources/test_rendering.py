"""Pages that scripts build are read with Cloudflare's browser, if the site wants it."""

import json
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from pytest_django import Settings

from chat.knowledge.models import DocumentContent
from chat.lib.metrics import registry
from chat.website_sources import pages
from chat.website_sources.models import CrawlTurn, WebsitePage, WebsiteSource
from chat.website_sources.rendering import BROWSER
from tests.support.browser.website import HTML
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.upstream_override import site_with
from tests.support.web.crawled_site import TEXT, CrawledSite

WORDS = "Only scripts show this sentence about kayaks."


def built_by_scripts(head: str, words: str = WORDS) -> str:
    """Return a page without text, until the emulator's browser opens its template."""
    menu = "<template><nav>Menu</nav></template>"
    main = f'<template><main><h2 id="k">Kayaks</h2><p>{words} {TEXT}</p></main></template>'
    return (
        f"<html><head><title>Shop</title>{head}</head><body><div id=root></div>{menu}{main}"
        "<script src=/app.js></script></body></html>"
    )


async def read(crawled: CrawledSite, head: str) -> WebsitePage:
    crawled.pages.show("/page", built_by_scripts(head), *HTML, 'ETag: "shell"')
    await crawled.add("/page", kind=WebsiteSource.Kind.PAGE)
    await crawled.crawl()
    return await WebsitePage.objects.aget()


def counted(result: str) -> float:
    return registry.get_sample_value("runnel_rendered_pages_total", {"result": result}) or 0.0


async def test_it_is_read_like_any_page_and_again_with_each_crawl(
    crawled: CrawledSite, settings: Settings
) -> None:
    settings.BROWSER_RENDERING = True
    before = counted("rendered")
    page = await read(crawled, crawled.mark)
    assert (page.state, page.etag) == ("read", "")
    content = await DocumentContent.objects.aget()
    assert content.text.startswith('<a id="k"></a>\n## Kayaks')
    assert WORDS in content.text
    assert "Menu" not in content.text
    assert crawled.requested == ["/robots.txt", "/page", "/page"]
    assert counted("rendered") == before + 1
    crawled.pages.show("/page", built_by_scripts(crawled.mark, "News."), *HTML, 'ETag: "shell"')
    await crawled.crawl_again()
    assert "News." in (await DocumentContent.objects.aget()).text


@pytest.mark.parametrize("case", ["off", "foreign", "noindex", "canonical", "other provider"])
async def test_it_is_only_fetched_where_rendering_is_not_wanted(
    crawled: CrawledSite, settings: Settings, case: str
) -> None:
    settings.BROWSER_RENDERING = case != "off"
    head = "" if case == "foreign" else crawled.mark
    if case == "noindex":
        head += '<meta name="robots" content="noindex">'
    if case == "canonical":
        head += '<link rel="canonical" href="/other">'
    if case == "other provider":
        settings.WORKERS_AI_BASE_URL = "http://127.0.0.1:9/v1"
    page = await read(crawled, head)
    assert page.state == (case if case in {"noindex", "canonical"} else "empty")
    assert crawled.requested == ["/robots.txt", "/page"]


@pytest.mark.parametrize(
    ("answer", "waits_for_all"),
    [
        (plain(429, b"{}", extra="Retry-After: 90\r\n"), True),
        (plain(502, b"bad gateway"), True),
        (plain(422, b'{"success":false,"errors":[{"code":2001,"message":"no"}]}'), False),
        (plain(200, b'{"success":false,"result":"<main>no</main>"}'), False),
        (plain(200, json.dumps({"success": True, "result": "x" * 3_200_000}).encode()), False),
        (plain(200, b'{"success":true,"result":"\\ud83d"}'), False),
        (plain(200, b'{"success":true,"result":[]}'), False),
        (plain(200, b"<html>"), False),
    ],
)
async def test_a_page_that_fails_keeps_its_text_and_is_tried_again(
    crawled: CrawledSite, settings: Settings, answer: bytes, waits_for_all: bool
) -> None:
    settings.BROWSER_RENDERING = True
    await read(crawled, crawled.mark)
    await CrawlTurn.objects.filter(name=BROWSER).adelete()
    async with site_with(always(answer)) as cloudflare:
        await crawled.crawl_again()
    (asked,) = cloudflare.requests
    assert asked.startswith(b"POST /client/v4/accounts/")
    sent = json.loads(asked.partition(b"\r\n\r\n")[2])
    assert sent["url"] == f"{crawled.origin}/page"
    assert sent["userAgent"].startswith("RunnelBot/")
    page = await WebsitePage.objects.aget()
    assert (page.state, page.problem, page.failures) == ("error", "rendering", 1)
    assert page.due_at
    assert WORDS in (await DocumentContent.objects.aget()).text
    turn = await CrawlTurn.objects.aget(name=BROWSER)
    assert turn.failures == waits_for_all


async def test_only_pages_that_need_the_browser_wait_for_it(
    crawled: CrawledSite, settings: Settings
) -> None:
    settings.BROWSER_RENDERING = True
    until = timezone.now() + timedelta(seconds=300)
    await CrawlTurn.objects.acreate(name=BROWSER, free_at=until)
    crawled.pages.show("/script", built_by_scripts(crawled.mark), *HTML)
    crawled.show("/plain")
    crawled.show_sitemap("/script", "/plain")
    await crawled.add_sitemap()
    await crawled.crawl()
    assert await crawled.states() == {"/plain": "read", "/script": "waiting"}
    waiting = await WebsitePage.objects.aget(state="waiting")
    assert waiting.due_at
    assert waiting.due_at > until - timedelta(seconds=60)
    assert await sync_to_async(pages.next_due_at)(crawled.site.pk) == waiting.due_at
    await crawled.crawl_again()  # it needn't be fetched to know that
    assert "/script" not in crawled.requested
    await CrawlTurn.objects.filter(name=BROWSER).adelete()
    await crawled.crawl_again()
    assert (await crawled.states())["/script"] == "read"
