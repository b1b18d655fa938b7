"""An owner sees which pages would be read, adds them, and sees what became of each."""

import re
from html import unescape

import pytest
from django.test import AsyncClient

from chat.website_sources.models import WebsiteSource
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.web.crawled_site import CrawledSite, page
from tests.website_sources.conftest import crawled, pages

__all__ = ["crawled", "pages"]  # fixtures


async def sent(
    client: AsyncClient, crawled: CrawledSite, path: str, status: int = 200, **fields: str
) -> str:
    """Return the text of the page that a form leads to."""
    address = f"/sites/{crawled.site.key}/sources/{path}"
    response = await client.post(address, {"kind": "site", **fields}, headers=SAME_ORIGIN)
    assert response.status_code == status
    return unescape(re.sub(r"<[^>]+>|\s+", " ", response.content.decode()))


async def test_a_preview_shows_what_is_read_before_anything_is(
    alice_client: AsyncClient, crawled: CrawledSite
) -> None:
    robots_txt = f"User-agent: *\nDisallow: /private\nSitemap: {crawled.origin}/pages.xml"
    crawled.pages.show("/robots.txt", robots_txt)
    crawled.show_sitemap("/help/a", "/help/private", "/private", "/shop")
    crawled.pages.answers["/pages.xml"] = crawled.pages.answers["/sitemap.xml"]
    crawled.show("/", page(head=crawled.mark))
    rules = {"includes": "/help/\n/private"}
    shown = await sent(alice_client, crawled, "preview/", address=f"{crawled.origin}/#x", **rules)
    assert f"{crawled.origin}/help/a" in shown
    assert "Pages 2" in re.sub(" +", " ", shown)
    assert "doesn't allow 1 page" in shown
    assert "leave out 1 page" in shown
    assert "chat's tag" not in shown
    assert not await WebsiteSource.objects.aexists()


async def test_a_host_stays_confirmed_although_the_page_that_names_the_website_is_not_read(
    alice_client: AsyncClient, crawled: CrawledSite
) -> None:
    crawled.show("/", page(head=crawled.mark))
    crawled.show_sitemap("/help/a")
    crawled.show("/help/a")
    address, path = f"{crawled.origin}/", f"/sites/{crawled.site.key}/sources/preview/"
    shown = await alice_client.post(path, {"kind": "site", "address": address}, headers=SAME_ORIGIN)
    found = re.search(r'name="confirmation" value="([^"]+)"', shown.content.decode())
    assert found
    for value in ("", found[1][:-1], found[1]):
        await sent(alice_client, crawled, "new/", 302, address=address, confirmation=value)
        source = await WebsiteSource.objects.aget()
        assert bool(source.confirmed_at) == (value == found[1])
        await source.adelete()


async def test_what_was_added_is_read_and_listed_with_its_reason(
    alice_client: AsyncClient, crawled: CrawledSite
) -> None:
    crawled.show("/", page(title="Welcome", links='<a href="/gone">x</a>'))
    crawled.show("/gone", " ", status="404 Not Found")
    await sent(alice_client, crawled, "new/", 302, address=f"{crawled.origin}/")
    await crawled.crawl()
    address = f"/sites/{crawled.site.key}/sources/"
    listed = (await alice_client.get(address)).content.decode()
    assert "Welcome" in listed
    assert "Not found (1)" in listed
    assert "No page of this host has the chat's tag yet" in unescape(listed)
    filtered = (await alice_client.get(f"{address}?state=missing")).content.decode()
    assert "Welcome" not in filtered


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://wikipedia.example/", "isn't an allowed website"),
        ("http://169.254.169.254/", "isn't an allowed website"),
        ("ftp://shop.example", "Enter a web address"),
    ],
)
async def test_a_host_that_is_not_the_websites_is_refused(
    alice_client: AsyncClient, crawled: CrawledSite, address: str, words: str
) -> None:
    for path in ("preview/", "new/"):
        assert words in await sent(alice_client, crawled, path, 422, address=address)
    assert crawled.pages.requests == []


async def test_an_owner_stops_starts_and_removes_a_source(
    alice_client: AsyncClient, crawled: CrawledSite
) -> None:
    crawled.show("/")
    source = await crawled.add("/")
    await sent(alice_client, crawled, f"{source.pk}/stop/", 302)
    await crawled.crawl()
    assert await crawled.states() == {"/": "waiting"}
    await sent(alice_client, crawled, f"{source.pk}/crawl/", 302)
    await crawled.crawl()
    assert await crawled.states() == {"/": "read"}
    await sent(alice_client, crawled, f"{source.pk}/removal/", 302)
    assert await crawled.answered_from() == []
