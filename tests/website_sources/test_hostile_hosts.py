"""Whatever a host answers, it delays only itself, and nothing that it says lasts too long."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.documents.reader.web_page import WebPage
from chat.fetching.fetch import Fetched
from chat.knowledge.models import Document
from chat.website_sources import pages, reading, robots, sources
from chat.website_sources import preview as previews
from chat.website_sources.models import CrawlTurn, WebsitePage, WebsiteSource
from tests.support.browser.website import website
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.web.crawled_site import CrawledSite, page
from tests.support.widget.visitor_client import visit

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")


async def preview(client: AsyncClient, crawled: CrawledSite) -> int:
    form = {"kind": "site", "address": f"{crawled.origin}/"}
    place = f"/sites/{crawled.site.key}/sources/preview/"
    status: int = (await client.post(place, form, headers=SAME_ORIGIN)).status_code
    return status


def test_of_a_robots_txt_only_our_part_is_read() -> None:
    many = "".join(f"User-agent: {name}\n" for name in range(3000)) + "Allow: /a\n" * 3000
    assert robots.own_part(many) == "User-agent: *"
    ours = "User-agent: x\nUser-Agent: RunnelBot # us\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n"
    part = robots.own_part(
        f"Sitemap: https://a.example/s.xml\n{ours}User-agent: runnelbot\nAllow: /a/b"
    )
    assert part == ("User-agent: *\ndisallow: /a\nallow: /a/b\nSitemap: https://a.example/s.xml")
    assert robots.own_part("\ufeffUser-agent: *\nDisallow: /a") == "User-agent: *\ndisallow: /a"
    assert (
        robots.own_part("User-agent: runnelbot\nUser-agent: *\nDisallow:")
        == "User-agent: *\ndisallow: "
    )


@pytest.mark.parametrize(
    "headers",
    [
        ("302 Found", "Location: http://["),
        ("429 Slow", "Retry-After: Mon, 01 Jan 99999999999999999999 00:00:00 GMT"),
        ("429 Slow", "Retry-After: \u00b2"),
    ],
)
async def test_odd_headers_end_a_preview_in_words(
    headers: tuple[str, str], alice_client: AsyncClient, crawled: CrawledSite
) -> None:
    status, header = headers
    crawled.pages.show("/", "", header, status=status)
    assert await preview(alice_client, crawled) == 422


async def test_a_preview_works_once_the_website_answers(
    alice_client: AsyncClient, crawled: CrawledSite
) -> None:
    crawled.pages.show("/robots.txt", "", status="500 Oops")
    crawled.show("/")
    assert await preview(alice_client, crawled) == 422
    crawled.pages.show("/robots.txt", "User-agent: *\nDisallow: /private")
    await CrawlTurn.objects.aupdate(free_at=timezone.now())
    assert await preview(alice_client, crawled) == 200


async def test_a_preview_asks_no_other_host_and_none_too_often(
    alice_client: AsyncClient, crawled: CrawledSite
) -> None:
    async with website() as other:
        listed = [f"http://localhost:{other.port}/{number}" for number in range(9)]
        listed += [f"{crawled.origin}/{number}.xml" for number in range(9)]
        nested = "".join(f"<sitemap><loc>{each}</loc></sitemap>" for each in listed)
        crawled.pages.show("/robots.txt", f"Sitemap: {crawled.origin}/index.xml")
        index = f"<sitemapindex>{nested}</sitemapindex>"
        crawled.pages.show("/index.xml", index, "Content-Type: text/xml")
        crawled.show("/")
        for number in range(9):
            crawled.pages.show(f"/{number}.xml", "<urlset></urlset>", "Content-Type: text/xml")
        assert await preview(alice_client, crawled) == 200
        assert (other.requests, len(crawled.requested) <= 12) == ([], True)


@pytest.mark.parametrize("is_elsewhere", [True, False])
async def test_a_page_of_another_host_confirms_nothing(
    crawled: CrawledSite, *, is_elsewhere: bool
) -> None:
    async with website() as other:
        elsewhere = f"http://localhost:{other.port}"
        crawled.site.origins = [crawled.origin, elsewhere]
        await crawled.site.asave()
        other.show("/b", page(head=crawled.mark))
        crawled.show("/b", page(head=crawled.mark))
        crawled.show("/", "<p></p>")
        crawled.show_sitemap("/a")
        target = elsewhere if is_elsewhere else crawled.origin
        crawled.pages.show("/a", "", f"Location: {target}/b", status="302 Found")
        found = await previews.preview(
            WebsiteSource(site=crawled.site, address=f"{crawled.origin}/")
        )
        assert found.is_confirmed is not is_elsewhere


async def test_a_host_that_cannot_be_asked_delays_no_other_one(crawled: CrawledSite) -> None:
    async with website() as other:
        origin = f"http://localhost:{other.port}"
        crawled.site.origins = [crawled.origin, origin]
        await crawled.site.asave()
        other.show("/robots.txt", "", status="500 Oops")
        await sync_to_async(sources.add)(
            WebsiteSource(
                site=crawled.site, address=f"{origin}/", sitemaps=[f"{origin}/sitemap.xml"]
            )
        )
        crawled.show_sitemap("/a")
        crawled.show("/a")
        await crawled.add_sitemap()
        await crawled.crawl()
    assert "/a" in crawled.requested


async def test_reports_of_a_page_without_text_are_ignored_after_the_first(
    crawled: CrawledSite,
) -> None:
    crawled.show_sitemap("/app")
    crawled.show("/app", "<div id=root></div><script src=a.js></script>")
    await crawled.add_sitemap()
    await crawled.crawl()
    crawled.pages.requests.clear()
    vera = await visit(crawled.site)
    for _ in range(3):
        report = {"address": f"{crawled.origin}/app", "hash": "0" * 16}
        assert (await vera.post("page", report)).status_code == 204
        await crawled.crawl()
    assert crawled.requested == ["/app"]


async def test_what_was_fetched_while_its_source_was_removed_is_not_stored(
    crawled: CrawledSite,
) -> None:
    source = await crawled.add("/a", kind=WebsiteSource.Kind.PAGE)

    @sync_to_async
    def store() -> None:
        taken = pages.take_next(crawled.site.pk)
        assert taken
        sources.remove(source)
        fetched = Fetched(taken.address, 200, [], b"")
        reading._store_page(taken, fetched, WebPage(text="Secret " * 100, title="x"), [])

    await store()
    assert not await Document.objects.aexists()


async def test_a_page_with_an_odd_validator_is_read_again(crawled: CrawledSite) -> None:
    crawled.show("/a", page(), 'ETag: "caf\u00e9"')
    await crawled.add("/a", kind=WebsiteSource.Kind.PAGE)
    await crawled.crawl()
    await crawled.crawl_again()
    assert await crawled.states() == {"/a": "unchanged"}


async def test_long_values_are_cut(crawled: CrawledSite) -> None:
    path = "/" + "b" * 300
    crawled.show_sitemap(path, lastmod="x" * 100)
    crawled.show(path, page(title=""))
    await crawled.add_sitemap()
    await crawled.crawl()
    read = await WebsitePage.objects.aget(is_sitemap=False)
    assert (read.state, len(read.lastmod), len(read.title)) == ("read", 40, 200)


async def test_an_answer_that_says_unchanged_without_being_asked_is_an_error(
    crawled: CrawledSite,
) -> None:
    crawled.show("/a", status="304 Not Modified")
    await crawled.add("/a", kind=WebsiteSource.Kind.PAGE)
    await crawled.crawl()
    assert await crawled.states() == {"/a": "error"}


async def test_a_host_that_is_no_longer_the_websites_is_not_asked(crawled: CrawledSite) -> None:
    crawled.show("/a")
    await crawled.add("/a", kind=WebsiteSource.Kind.PAGE)
    await crawled.crawl()
    crawled.site.origins = ["https://www.mine.example"]
    await crawled.site.asave()
    crawled.pages.requests.clear()
    await crawled.crawl_again()
    assert crawled.requested == []
    assert not (await WebsiteSource.objects.aget()).is_active


async def test_without_room_a_page_keeps_its_text(crawled: CrawledSite, settings: Settings) -> None:
    crawled.show("/a")
    await crawled.add("/a", kind=WebsiteSource.Kind.PAGE)
    await crawled.crawl()
    settings.MAX_MEMBER_BYTES = 1000
    crawled.show("/a", page("New words here. " * 30))
    await crawled.crawl_again()
    assert (await crawled.states(), await crawled.answered_from()) == ({"/a": "full"}, ["/a"])
