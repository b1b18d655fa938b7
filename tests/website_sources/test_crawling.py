"""The pages of a website are read politely, and each page that isn't says why."""

import gzip
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from chat.knowledge.models import Document
from chat.website_sources import crawls, sources, turns
from chat.website_sources import pages as stored_pages
from chat.website_sources.models import CrawlTurn, WebsitePage, WebsiteSource
from tests.support.web.crawled_site import CrawledSite, page

REDIRECT = "302 Found"
#: What a server answers for `/page`, and what becomes of the page.
CASES = {
    "a page with text": (page(), (), "200 OK", "read"),
    "a page that asks not to be indexed": (
        page(head='<meta name="Robots" content="NOINDEX">'), (), "200 OK", "noindex",
    ),
    "a header that asks not to be indexed": (
        page(), ("X-Robots-Tag: noindex, nofollow",), "200 OK", "noindex",
    ),
    "a header for another robot": (page(), ("X-Robots-Tag: googlebot: noindex",), "200 OK", "read"),
    "a canonical page elsewhere": (
        page(head='<link rel="canonical" href="https://elsewhere.example/">'), (), "200 OK", "canonical",
    ),
    "another kind of file": ("%PDF-1.4", ("Content-Type: application/pdf",), "200 OK", "not_html"),
    "a page that scripts build": (
        '<div id="root"></div><script src="/app.js"></script>', (), "200 OK", "empty",
    ),
    "a short page with scripts": (
        "<p>We sell lamps made of paper.</p><script></script>", (), "200 OK", "read",
    ),
    "a private network": ("", ("Location: http://169.254.169.254/",), REDIRECT, "redirect"),
    "a page of another website": ("", ("Location: https://elsewhere.example/",), REDIRECT, "redirect"),
    "a sign-in page": ("", ("Location: /login?next=/page",), REDIRECT, "login"),
    "a page that is gone": ("", (), "404 Not Found", "missing"),
    "a server with a fault": ("", (), "500 Internal Server Error", "error"),
    "a page for members": ("", (), "403 Forbidden", "error"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
async def test_a_page_says_what_became_of_it(crawled: CrawledSite, case: str) -> None:
    html, headers, status, state = CASES[case]
    if any(each.startswith("Content-Type") for each in headers):
        crawled.pages.show("/page", html, *headers, status=status)
    else:
        crawled.show("/page", html or " ", *headers, status=status)
    await crawled.add("/page", kind=WebsiteSource.Kind.PAGE)
    await crawled.crawl()
    assert await crawled.states() == {"/page": state}
    assert await crawled.answered_from() == (["/page"] if state == "read" else [])
    assert crawled.requested == ["/robots.txt", "/page"]


async def test_the_pages_of_a_sitemap_are_read_but_those_that_robots_txt_forbids(
    crawled: CrawledSite,
) -> None:
    robots_txt = "User-agent: RunnelBot\nDisallow: /private\n\nUser-agent: *\nDisallow: /"
    crawled.pages.show("/robots.txt", robots_txt, "Content-Type: text/plain")
    crawled.show_sitemap("/a", "/private/b", "/a?utm_source=news#top", "https://elsewhere.example/")
    crawled.show("/a")
    await crawled.add_sitemap()
    await crawled.crawl()
    assert await crawled.states() == {"/a": "read", "/private/b": "robots"}
    assert sorted(crawled.requested) == ["/a", "/robots.txt", "/sitemap.xml"]


async def test_links_are_followed_within_the_rules_of_the_source(crawled: CrawledSite) -> None:
    links = '<a href="/help/a#x">a</a><a href="shop/b">b</a><a href="/help/old/c">c</a><a href="/x.pdf">d</a>'
    crawled.show("/", page(links=links))
    crawled.show(
        "/help/a",
        page("Help " * 30, links='<a href="/">home</a><a rel=nofollow href="/help/d">d</a>'),
    )
    await crawled.add("/", includes=["/help/"], excludes=["/*/old/*"])
    await crawled.crawl()
    assert await crawled.states() == {"/": "read", "/help/a": "read"}


async def test_an_endless_calendar_ends(
    crawled: CrawledSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_pages, "MAX_ALIKE", 3)
    for day in range(9):
        link = f'<a href="/calendar/{day + 1}/">next</a>'
        crawled.show(
            "/" if day == 0 else f"/calendar/{day}/", page(f"{'Day ' * 40} {day}", links=link)
        )
    await crawled.add("/")
    await crawled.crawl()
    assert list(await crawled.states()) == ["/", "/calendar/1/", "/calendar/2/", "/calendar/3/"]


async def test_little_is_read_of_a_host_until_a_page_names_the_website(
    crawled: CrawledSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_pages, "UNCONFIRMED_PAGES", 2)
    paths = [f"/{number}" for number in range(4)]
    for path in paths:
        crawled.show(path)
    crawled.show_sitemap(*paths)
    source = await crawled.add_sitemap()
    await crawled.crawl()
    assert await crawled.answered_from() == ["/0", "/1"]
    crawled.show("/0", page(head=crawled.mark))
    await crawled.crawl_again()
    assert await crawled.answered_from() == paths
    await source.arefresh_from_db()
    assert source.confirmed_at


async def test_a_second_crawl_asks_only_for_what_may_have_changed(crawled: CrawledSite) -> None:
    crawled.show_sitemap("/dated", lastmod="2026-01-01")
    crawled.show("/dated")
    await crawled.add_sitemap()
    await crawled.crawl()
    await crawled.crawl_again()
    assert crawled.requested == ["/sitemap.xml"]
    crawled.show_sitemap("/dated", lastmod="2026-02-02")
    crawled.show("/dated", page("All is new here. " * 20))
    await crawled.crawl_again()
    assert crawled.requested == ["/sitemap.xml", "/dated"]
    assert (await Document.objects.select_related("content").aget()).content.text.count("new here")


async def test_an_unchanged_page_is_not_indexed_again(crawled: CrawledSite) -> None:
    html = page().replace("<h1>", '<h1 id="r1">')
    crawled.show("/", html, 'ETag: "one"')
    await crawled.add("/")
    await crawled.crawl()
    document = await Document.objects.select_related("content").aget()
    assert document.content.text.startswith('<a id="r1"></a>\n# Shop')
    crawled.show("/", html.replace("r1", "r2") + "<!-- a new build -->", 'ETag: "two"')
    await crawled.crawl_again()
    assert 'If-None-Match: "one"' in crawled.pages.requests[-1]
    assert await crawled.states() == {"/": "unchanged"}
    crawled.show("/", " ", status="304 Not Modified")
    await crawled.crawl_again()
    assert await crawled.states() == {"/": "unchanged"}
    assert await Document.objects.aget() == document


async def test_a_page_that_is_gone_twice_is_removed(crawled: CrawledSite) -> None:
    crawled.show("/")
    await crawled.add("/", kind=WebsiteSource.Kind.PAGE)
    await crawled.crawl()
    crawled.show("/", " ", status="410 Gone")
    await crawled.crawl_again()
    assert (await crawled.states(), await crawled.answered_from()) == ({"/": "missing"}, ["/"])
    for hours, left in ((0, {"/": "missing"}), (1, {})):  # at once, it may be a deployment
        then = timezone.now() - timedelta(hours=hours)
        await WebsitePage.objects.aupdate(due_at=timezone.now(), fetched_at=then)
        await sync_to_async(crawls.wake)(crawled.site.pk)
        await crawled.crawl()
        assert await crawled.states() == left
    assert await crawled.answered_from() == []


async def test_a_host_that_is_asked_too_often_is_left_alone_for_as_long_as_it_says(
    crawled: CrawledSite,
) -> None:
    crawled.show_sitemap("/a", "/b")
    for path in ("/a", "/b"):
        crawled.show(path, " ", "Retry-After: 600", status="429 Too Many Requests")
    await crawled.add_sitemap()
    await crawled.crawl()
    assert crawled.requested == ["/robots.txt", "/sitemap.xml", "/a"]
    turn = await CrawlTurn.objects.aget(name__startswith="127.0.0.1")
    assert 500 < (turn.free_at - timezone.now()).total_seconds() <= 600


async def test_a_host_is_asked_by_one_at_a_time(
    crawled: CrawledSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.0)
    async with turns.turn_of("shop.example", 0.0):
        with pytest.raises(turns.HostBusy):
            async with turns.turn_of("shop.example", 0.0):
                pass
    async with turns.turn_of("shop.example", 0.0):
        pass


async def test_a_page_that_a_killed_process_took_is_read_by_another_one(
    crawled: CrawledSite,
) -> None:
    crawled.show("/")
    await crawled.add("/")
    taken = await sync_to_async(stored_pages.take_next)(crawled.site.pk)
    assert taken
    await crawled.crawl()
    assert await crawled.states() == {"/": "waiting"}
    await WebsitePage.objects.aupdate(due_at=timezone.now())  # its lease has ended
    await sync_to_async(crawls.wake)(crawled.site.pk)
    await crawled.crawl()
    assert await crawled.states() == {"/": "read"}


async def test_nothing_is_read_for_a_suspended_website(crawled: CrawledSite) -> None:
    crawled.show("/")
    await crawled.add("/")
    crawled.site.is_suspended = True
    await crawled.site.asave()
    await crawled.crawl()
    await WebsiteSource.objects.aupdate(next_crawl_at=timezone.now())
    await sync_to_async(crawls.start_due)()
    await crawled.crawl()
    assert crawled.requested == []


async def test_a_removed_source_takes_its_texts_along(crawled: CrawledSite) -> None:
    crawled.show("/")
    source = await crawled.add("/")
    await crawled.crawl()
    await sync_to_async(sources.remove)(source)
    assert (await crawled.states(), await crawled.answered_from()) == ({}, [])


async def test_a_host_without_a_readable_robots_txt_is_not_read(crawled: CrawledSite) -> None:
    crawled.pages.show("/robots.txt", "", status="503 Service Unavailable")
    crawled.show("/")
    await crawled.add("/")
    await crawled.crawl()
    assert crawled.requested == ["/robots.txt"]
    assert await crawled.states() == {"/": "waiting"}


async def test_a_sitemap_that_unpacks_to_too_much_is_cut(crawled: CrawledSite) -> None:
    entry = f"<url><loc>{crawled.origin}/a</loc></url>".encode()
    bomb = gzip.compress(b"<urlset>" + entry + b" " * 50_000_000)
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\nContent-Length: {len(bomb)}\r\n\r\n"
    )
    crawled.pages.answers["/sitemap.xml"] = head.encode() + bomb
    crawled.show("/a")
    await crawled.add_sitemap()
    await crawled.crawl()
    assert await crawled.states() == {"/a": "read"}
