"""What only a website's team may get reaches visitors in no way."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.knowledge.access import hidden_from_visitors, searched_for_team, searched_for_visitors
from chat.knowledge.models import Document
from chat.knowledge.search import search
from chat.website_sources import crawls, sources
from chat.website_sources import pages as stored_pages
from chat.website_sources.models import WebsitePage, WebsiteSource
from chat.widget_sites.models import AnswerMode, WidgetSite
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.knowledge.collections import add_document, new_collection
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.crawled_site import TEXT, CrawledSite, page
from tests.support.web.front_end import FrontEnd
from tests.support.widget.visitor_client import Visiting, site_of

SENTINEL = "sentinel-4471"
INTERNAL = f"Refunds of deposits are approved by the depot up to fifty euros, {SENTINEL}. "
QUESTION = "Which refunds of deposits are approved by the depot?"
CITING = b'data: {"response":"The depot does [1][2]."}\n\n'
ONE_PAGE = WebsiteSource.Kind.PAGE


@sync_to_async
def found(site: WidgetSite, *, for_team: bool = False) -> list[str]:
    """Return the documents in which something about the question is found."""
    among = searched_for_team(site) if for_team else searched_for_visitors(site.key)
    hits = search(among, "refunds deposits depot", None, "", 20)
    return sorted({Document.objects.get(pk=each.document_id).name for each in hits})


async def asked(site: WidgetSite, *addresses: str) -> str:
    """Return all that a model and a visitor get for the question, in each way to ask it."""
    site = await WidgetSite.objects.aget(pk=site.pk)
    vera = Visiting(site)
    await vera.begin()
    seen: list[str] = []
    async with site_with(always(stream_of(CITING, b"data: [DONE]\n\n"))) as raw:
        for address in addresses or ("",):
            context = {"address": address} if address else {}
            stream = await read_stream(await vera.send(QUESTION, context=context))
            seen += [stream.text, json.dumps(stream.events, default=str)]
        if site.answer_mode != AnswerMode.FREELY:
            response = await FrontEnd(site, site.origins[0]).post(
                "chat/text", {"messages": [{"role": "user", "content": QUESTION}]}
            )
            seen += [chunk.decode() async for chunk in response.streaming_content]
        seen += [each.decode(errors="replace") for each in raw.requests]
    return "\n".join(seen)


@pytest.mark.parametrize("mode", AnswerMode)
async def test_a_page_for_the_team_is_in_no_answer_to_a_visitor(
    crawled: CrawledSite, mode: AnswerMode, alice_client: AsyncClient
) -> None:
    await WidgetSite.objects.filter(pk=crawled.site.pk).aupdate(answer_mode=mode)
    crawled.show("/inside", page(INTERNAL * 3, title="Inside"))
    crawled.show("/terms", page("Deposits are paid at the desk. " * 9, title="Terms"))
    await crawled.add("/inside", kind=ONE_PAGE, is_for_team=True)
    await crawled.add("/terms", kind=ONE_PAGE)
    await crawled.crawl()
    assert await found(crawled.site) == ["Terms"]
    assert await found(crawled.site, for_team=True) == ["Inside", "Terms"]
    shown = await asked(crawled.site, f"{crawled.origin}/inside", f"{crawled.origin}/terms")
    tried = await alice_client.post(
        f"/sites/{crawled.site.key}/try/", {"question": QUESTION}, headers=SAME_ORIGIN
    )
    assert tried.status_code == 200
    for text in (shown, tried.content.decode().replace(QUESTION, "")):
        assert SENTINEL not in text
        assert "Inside" not in text


async def test_a_source_changes_sides_at_once_and_keeps_to_it(
    crawled: CrawledSite, alice_client: AsyncClient
) -> None:
    crawled.show("/inside", page(INTERNAL * 3, title="Inside"))
    source = await crawled.add("/inside", kind=ONE_PAGE)
    await crawled.crawl()
    assert await found(crawled.site) == ["Inside"]
    place = f"/sites/{crawled.site.key}/sources/"
    form = {"is_for_team": "on"}
    await alice_client.post(f"{place}{source.pk}/audience/", form, headers=SAME_ORIGIN)
    assert await found(crawled.site) == []
    listed = (await alice_client.get(place)).content.decode()
    assert "Only for the team" in listed.partition("Add a source")[0]
    crawled.show("/inside", page(f"{INTERNAL} It is new. " * 3, title="Inside"))
    await crawled.crawl_again()
    assert await found(crawled.site) == []
    assert await found(crawled.site, for_team=True) == ["Inside"]
    assert await Document.objects.acount() == 1
    await alice_client.post(f"{place}{source.pk}/audience/", headers=SAME_ORIGIN)
    assert await found(crawled.site) == ["Inside"]
    await sync_to_async(sources.remove)(source)
    assert not await Document.objects.aexists()


async def test_a_page_of_two_sources_is_for_the_team(crawled: CrawledSite) -> None:
    crawled.show("/inside/a", page(INTERNAL * 3, title="Inside"))
    crawled.show("/open", page("Deposits are paid at the desk. " * 9, title="Open"))
    crawled.show_sitemap("/inside/a", "/open")
    await crawled.add_sitemap()
    await crawled.crawl()
    assert await found(crawled.site) == ["Inside", "Open"]
    being_read = await WebsitePage.objects.select_related("source", "site__owner").aget(
        address=f"{crawled.origin}/inside/a"
    )
    sitemap = f"{crawled.origin}/sitemap.xml"
    await crawled.add("/inside/", sitemaps=[sitemap], includes=["/inside/"], is_for_team=True)
    await crawled.crawl()
    assert await found(crawled.site) == ["Open"]
    assert await found(crawled.site, for_team=True) == ["Inside", "Open"]
    await sync_to_async(stored_pages.index)(being_read, "Inside", INTERNAL * 4)
    for source in [each async for each in WebsiteSource.objects.all()]:
        await sync_to_async(crawls.start)(source)
    await crawled.crawl()
    assert await found(crawled.site) == ["Open"]


@pytest.mark.parametrize("case", ["stopped", "its sitemap fails", "its sitemap is being read"])
async def test_a_source_takes_pages_of_others_without_reading_its_list(
    crawled: CrawledSite, case: str
) -> None:
    crawled.show("/inside/a", page(INTERNAL * 3, title="Inside"))
    crawled.show("/open", page("Deposits are paid at the desk. " * 9, title="Open"))
    crawled.show_sitemap("/inside/a", "/open")
    await crawled.add_sitemap()
    await crawled.crawl()
    sitemap = f"{crawled.origin}/sitemap.xml"
    source = await crawled.add("/inside/", sitemaps=[sitemap], includes=["/inside/"])
    await crawled.crawl()
    read = await WebsiteSource.objects.select_related("site").aget(pk=source.pk)
    if case == "stopped":
        await sync_to_async(sources.stop)(source)
    else:
        crawled.pages.show("/sitemap.xml", "", status="503 Service Unavailable")
    await sync_to_async(sources.set_audience)(source, is_for_team=True)
    assert await found(crawled.site) == ["Open"]
    assert await found(crawled.site, for_team=True) == ["Inside", "Open"]
    if case == "its sitemap is being read":
        listed = [f"{crawled.origin}{path}" for path in ("/inside/a", "/inside/new")]
        await crawled.add("/inside/new", kind=ONE_PAGE)
        await sync_to_async(stored_pages.add_found)(read, listed)
        assert await source.pages.filter(address__in=listed).acount() == 2


async def test_a_new_source_takes_the_pages_of_its_paths(crawled: CrawledSite) -> None:
    crawled.show("/inside/a", page(INTERNAL * 3, title="Inside"))
    crawled.show_sitemap("/inside/a")
    await crawled.add_sitemap()
    await crawled.crawl()
    sitemap = f"{crawled.origin}/sitemap.xml"
    await crawled.add("/inside/", sitemaps=[sitemap], includes=["/inside/"], is_for_team=True)
    assert await found(crawled.site) == []


async def test_a_page_for_the_team_does_not_replace_the_same_text_for_visitors(
    crawled: CrawledSite,
) -> None:
    for path in ("/inside", "/open"):
        crawled.show(path, page(TEXT, title="Same"))
        await crawled.add(path, kind=ONE_PAGE, is_for_team=path == "/inside")
        await crawled.crawl()
    assert await crawled.answered_from() == ["/open"]


@pytest.mark.parametrize("first", ["team", "visitors", "switched"])
async def test_another_spelling_of_the_address_is_for_the_team_too(
    crawled: CrawledSite, first: str
) -> None:
    for path in ("/inside", "/inside/"):
        crawled.show(path, page(INTERNAL * 3, title=""))
    crawled.show_sitemap("/inside/")
    if first != "team":
        await crawled.add_sitemap(includes=["/inside/"])
        await crawled.crawl()
    source = await crawled.add("/inside", kind=ONE_PAGE, is_for_team=first != "switched")
    await crawled.crawl()
    if first == "team":
        await crawled.add_sitemap(includes=["/inside/"])
        await crawled.crawl()
    if first == "switched":
        assert await crawled.states() == {"/inside": "duplicate", "/inside/": "read"}
        await sync_to_async(sources.set_audience)(source, is_for_team=True)
        assert await found(crawled.site) == []
        await crawled.crawl()
    assert list((await crawled.states()).values()).count("duplicate") == 1
    assert await found(crawled.site) == []
    assert len(await found(crawled.site, for_team=True)) == 1


async def test_a_text_that_was_being_read_follows_its_source(crawled: CrawledSite) -> None:
    crawled.show("/inside", page(INTERNAL * 3, title="Inside"))
    source = await crawled.add("/inside", kind=ONE_PAGE)
    await crawled.crawl()
    read = await WebsitePage.objects.select_related("source", "site__owner").aget()
    await sync_to_async(sources.set_audience)(source, is_for_team=True)
    await sync_to_async(stored_pages.index)(read, "Inside", INTERNAL * 4)
    await crawled.crawl()
    assert await found(crawled.site) == []


@pytest.mark.usefixtures("no_network_jobs", "stop_server_process")
async def test_a_collection_for_the_team_is_not_for_visitors_even_if_it_was_chosen_for_them(
    alice: User, bob: User
) -> None:
    site = await site_of(alice)
    mine, theirs = await new_collection(alice), await new_collection(bob)
    document = await add_document(mine, alice, "inside.txt", INTERNAL)
    await add_document(theirs, bob, "of bob.txt", INTERNAL)
    await mine.sites.aadd(site)
    assert await found(site) == ["inside.txt"]
    for collection in (mine, theirs):  # bob's is not alice's to use
        await collection.team_sites.aadd(site)
    assert await found(site) == []
    assert await found(site, for_team=True) == ["inside.txt"]
    hidden = await sync_to_async(hidden_from_visitors)(site, [document.pk])
    assert hidden == {document.pk}
