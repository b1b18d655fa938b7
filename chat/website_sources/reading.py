"""Ask for one page or sitemap of a source, and decide what becomes of it."""

import asyncio
import hashlib
import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.utils import timezone

from chat.conversations.errors import StorageFull
from chat.database import threads
from chat.documents.reader import anchors
from chat.documents.reader.web_page import WebPage
from chat.documents.reading import read_web_page
from chat.errors import BadRequest
from chat.fetching.fetch import Fetched
from chat.indexing.errors import CollectionFull
from chat.knowledge.models import DOCUMENT_NAME_LENGTH
from chat.website_sources import pages, rendering, robots, sitemaps
from chat.website_sources.addresses import normalised
from chat.website_sources.confirmation import confirm
from chat.website_sources.models import HEADER_LENGTH, WebsitePage
from chat.website_sources.requests import Crawler
from chat.widget_sites.origins import matches, origin_of
from chat.widget_sites.site_check.fetching import HTML_KINDS

MAX_PAGE_BYTES = 3 * 1024 * 1024
MAX_TEXT_CHARS = 300_000
GONE = frozenset({404, 410})
#: They may pass, or somebody has closed the page: it isn't asked for again before the next crawl.
REFUSED = frozenset({401, 403, 404, 407, 410, 451})
#: So often in a row, and the page is no longer what the chat answers from.
MAX_MISSING = 2
NOT_MODIFIED, OK, TOO_MANY, FIRST_ERROR = 304, 200, 429, 500
_LOGIN = re.compile(r"/(?:log-?in|sign-?in|sso|auth|account/login)(?:[/.]|$)", re.IGNORECASE)

State = WebsitePage.State


async def read(page: WebsitePage) -> None:
    """Read a page. Raise `HostBusy` or `BrowserBusy` if that can't be done yet."""
    if not matches(origin_of(page.address), page.site.origins):
        await threads.writer.run(pages.stop, page.source)  # no longer the website's
        return
    await rendering.require_turn(page)
    crawler = Crawler(page.source)
    rules = await crawler.robots_of(page.address)
    if not robots.may_fetch(rules, page.address):
        await threads.writer.run(pages.skip, page, State.ROBOTS)
        return
    most = sitemaps.MAX_BYTES if page.is_sitemap else MAX_PAGE_BYTES
    headers = await threads.readers.run(_conditions, page)
    try:
        fetched = await crawler.get(page.address, robots.delay_seconds(rules), most, headers)
    except BadRequest as error:
        await threads.writer.run(pages.record_failure, page, 0, error.detail)
        return
    if not await threads.writer.run(_has_ended, page, fetched):
        if page.is_sitemap:
            await _read_sitemap(page, fetched)
        else:
            await _read_page(page, fetched, robots.delay_seconds(rules))


def _conditions(page: WebsitePage) -> dict[str, str]:
    """Return the headers that spare a page which is as we know it."""
    headers = {
        "Accept": "application/xml, text/xml, text/plain" if page.is_sitemap else "text/html"
    }
    if not page.is_sitemap and pages.is_indexed(page):  # what a list has may be gone here
        if page.etag:
            headers["If-None-Match"] = page.etag
        if page.last_modified:
            headers["If-Modified-Since"] = page.last_modified
    return headers


def _has_ended(page: WebsitePage, fetched: Fetched) -> bool:
    """Store what the status and headers say; return False if the body is to be read."""
    status = fetched.status
    if status == NOT_MODIFIED and pages.is_indexed(page):
        _record_unchanged(page, fetched)
    elif status == TOO_MANY or status >= FIRST_ERROR:
        pages.record_failure(page, status)
    elif status in REFUSED:
        _record_missing(page, status)
    elif fetched.redirect:
        _record_redirect(page, fetched.redirect)
    elif status != OK:
        pages.skip(page, State.ERROR, status=status)
    elif page.is_sitemap:
        return False
    elif fetched.kind not in HTML_KINDS:
        pages.skip(page, State.NOT_HTML)
    elif fetched.is_cut:
        pages.skip(page, State.TOO_LARGE)
    elif robots.forbids_indexing(fetched.values("x-robots-tag")):
        pages.skip(page, State.NOINDEX)
    else:
        return False
    return True


def _record_unchanged(page: WebsitePage, fetched: Fetched, **values: object) -> None:
    known = {"received_bytes": fetched.received_bytes}
    pages.record_result(page, State.UNCHANGED, **{**known, **values})


def _record_missing(page: WebsitePage, status: int) -> None:
    # Visitors' browsers may ask for it sooner than the crawl.
    since = timezone.now() - (page.fetched_at or timezone.now())
    is_soon = page.missing_count > 0 and since < pages.RETRY_AFTER[0]
    count = page.missing_count + (not is_soon)
    if count >= MAX_MISSING:
        if status in GONE:
            pages.remove(page)
            return
        pages.forget_text(page)
    state = State.MISSING if status in GONE else State.ERROR
    due_at = timezone.now() + pages.RETRY_AFTER[1] if count < MAX_MISSING else None
    pages.record_result(page, state, status=status, missing_count=count, due_at=due_at)


def _record_redirect(page: WebsitePage, location: str) -> None:
    target = normalised(location)
    if _LOGIN.search(urlsplit(target).path):
        pages.skip(page, State.LOGIN)
        return
    pages.skip(page, State.REDIRECT)
    pages.add_found(page.source, pages.candidates(page.source, [target]), depth=page.depth)


async def _read_sitemap(page: WebsitePage, fetched: Fetched) -> None:
    sitemap = await asyncio.to_thread(_sitemap_of, page, fetched.body)
    await threads.writer.run(_store_sitemap, page, fetched, sitemap)


def _sitemap_of(page: WebsitePage, body: bytes) -> sitemaps.Sitemap | None:
    """Return a sitemap with those of its entries that belong to the source."""
    sitemap = sitemaps.read(body)
    if sitemap is None:
        return None
    entries = {normalised(each): lastmod for each, lastmod in sitemap.entries.items()}
    if sitemap.is_index:
        origin = origin_of(page.address)
        own = [each for each in entries if each.startswith(f"{origin}/")]
    else:
        own = pages.candidates(page.source, entries, are_links=False)
    sitemap.entries = {each: entries[each] for each in own}
    return sitemap


def _store_sitemap(page: WebsitePage, fetched: Fetched, sitemap: sitemaps.Sitemap | None) -> None:
    if sitemap is None:
        pages.record_result(page, State.UNREADABLE)
        return
    if sitemap.is_index:
        pages.add_sitemaps(page.source, sitemap.entries)
    else:
        pages.add_found(page.source, sitemap.entries, lastmods=sitemap.entries)
    pages.record_result(page, State.READ, **_validators(fetched))


async def _read_page(page: WebsitePage, fetched: Fetched, delay_seconds: float) -> None:
    charset = fetched.value("content-type").lower().partition("charset=")[2].strip("\"' ")
    reader = f"website:{page.site.owner_id}"
    content = await read_web_page(fetched.body, charset, MAX_TEXT_CHARS, reader)
    if _needs_scripts(page, content):
        html = await rendering.rendered(page, delay_seconds, MAX_PAGE_BYTES)
        if not html:
            await threads.writer.run(pages.record_failure, page, 0, pages.BROWSER_PROBLEM)
            return
        # What the server says of the page without its text is nothing to know the text by.
        fetched = replace(fetched, headers=[], received_bytes=fetched.received_bytes + len(html))
        sites = content.sites
        content = await read_web_page(html, "utf-8", MAX_TEXT_CHARS, reader)
        content.sites += sites
    links = await asyncio.to_thread(_links_of, page, content)
    await threads.writer.run(_store_page, page, fetched, content, links)


def _needs_scripts(page: WebsitePage, content: WebPage) -> bool:
    """Return whether a page of the website's own would be read, but is empty without scripts."""
    is_own = page.source.confirmed_at or page.site.key in content.sites
    return bool(is_own and rendering.is_possible() and _state_of(page, content) == State.EMPTY)


def _links_of(page: WebsitePage, content: WebPage) -> list[str]:
    """Return the links that are followed."""
    if not page.source.follows_links or _says(content, "nofollow"):
        return []
    base = normalised(content.base, page.address) or page.address
    return pages.candidates(page.source, (normalised(each, base) for each in content.links))


def _store_page(page: WebsitePage, fetched: Fetched, content: WebPage, links: list[str]) -> None:
    if page.site.key in content.sites:
        confirm(page.source)
    if links:
        pages.add_found(page.source, links, depth=page.depth + 1)
    state = _state_of(page, content)
    if state == State.READ:
        _store_text(page, fetched, content)
        return
    pages.skip(page, state)
    if state == State.CANONICAL:
        canonical = pages.candidates(page.source, [_canonical_of(page, content)])
        pages.add_found(page.source, canonical, depth=page.depth)


def _state_of(page: WebsitePage, content: WebPage) -> State:
    """Return why a page is not one to answer from, by what it says; READ if it is."""
    if not content.is_readable:
        return State.UNREADABLE
    if robots.forbids_indexing(content.robots):
        return State.NOINDEX
    if _canonical_of(page, content) != page.address:
        return State.CANONICAL
    is_empty = content.is_built_by_scripts or not content.text.strip()
    return State.EMPTY if is_empty else State.READ


def _canonical_of(page: WebsitePage, content: WebPage) -> str:
    base = normalised(content.base, page.address) or page.address
    return (normalised(content.canonical, base) if content.canonical else "") or page.address


def _store_text(page: WebsitePage, fetched: Fetched, content: WebPage) -> None:
    text, title = content.text.replace("\x00", ""), _title_of(page, content)
    # Some pages have other ids each time they are loaded.
    named = "" if title == page.address else title
    text_hash = hashlib.sha256(f"{named}\n{anchors.without(text)}".encode()).hexdigest()
    values: dict[str, Any] = {"title": title, **_validators(fetched)}
    pages.hide_twins(page, text_hash)
    if page.text_hash == text_hash and pages.is_indexed(page):
        _record_unchanged(page, fetched, **values)
    elif pages.has_duplicate(page, text_hash):
        pages.skip(page, State.DUPLICATE)
    else:
        try:
            pages.index(page, title, text)
        except (CollectionFull, StorageFull):
            pages.record_result(page, State.FULL)  # what it said before stays
            return
        values |= {"text_hash": text_hash, "changed_at": timezone.now()}
        pages.record_result(page, State.READ, **values)


def _title_of(page: WebsitePage, content: WebPage) -> str:
    title = content.title.replace("\x00", "").strip() or page.address
    return title[:DOCUMENT_NAME_LENGTH]


def _validators(fetched: Fetched) -> dict[str, Any]:
    """Return what a request can name to get the body only if it has changed."""
    etag, modified = fetched.value("etag"), fetched.value("last-modified")
    return {
        "etag": etag if _can_be_sent(etag) else "",
        "last_modified": modified if _can_be_sent(modified) else "",
        "received_bytes": fetched.received_bytes,
    }


def _can_be_sent(value: str) -> bool:
    return len(value) <= HEADER_LENGTH and value.isascii() and value.isprintable()


def _says(content: WebPage, word: str) -> bool:
    return any(word in (each.strip() for each in value.split(",")) for value in content.robots)
