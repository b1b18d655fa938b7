"""A website whose pages a test shows, and what was read of it."""

from dataclasses import dataclass

from asgiref.sync import sync_to_async

from chat.knowledge.models import Document
from chat.outbox.deliver import deliver_some
from chat.outbox.models import Delivery
from chat.website_sources import crawls, sources
from chat.website_sources.models import WebsitePage, WebsiteSource
from chat.widget_sites.models import WidgetSite
from tests.support.browser.website import HTML, Website
from tests.support.knowledge.collections import index_documents

TEXT = "This page says something about the shop, its opening hours, its prices and its people. " * 3


def page(text: str = TEXT, head: str = "", title: str = "Shop", *, links: str = "") -> str:
    return (
        f"<html><head><title>{title}</title>{head}</head><body><nav>{links}</nav>"
        f"<main><h1>{title}</h1><p>{text}</p></main></body></html>"
    )


@dataclass
class CrawledSite:
    site: WidgetSite
    pages: Website
    origin: str

    @property
    def mark(self) -> str:
        """Return what shows that the host belongs to the website."""
        return f'<meta name="runnel-site" content="{self.site.key}">'

    def show(self, path: str, html: str = "", *headers: str, status: str = "200 OK") -> None:
        self.pages.show(path, html or page(f"{TEXT} {path}"), *HTML, *headers, status=status)

    def show_sitemap(self, *paths: str, lastmod: str = "") -> None:
        written = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
        urls = "".join(f"<url><loc>{self.origin}{each}</loc>{written}</url>" for each in paths)
        self.pages.show("/sitemap.xml", f"<urlset>{urls}</urlset>", "Content-Type: text/xml")

    async def add(self, path: str = "/", **fields: object) -> WebsiteSource:
        source = WebsiteSource(site=self.site, address=f"{self.origin}{path}", **fields)
        return await sync_to_async(sources.add)(source)

    async def add_sitemap(self, **fields: object) -> WebsiteSource:
        return await self.add("/", sitemaps=[f"{self.origin}/sitemap.xml"], **fields)

    async def crawl(self) -> None:
        """Read all that is due, and index it."""
        while await sync_to_async(self._is_due)():
            await deliver_some(crawls.CRAWL)
        await index_documents()

    async def crawl_again(self) -> None:
        source = await WebsiteSource.objects.aget(site=self.site)
        await sync_to_async(crawls.start)(source)
        self.pages.requests.clear()
        await self.crawl()

    async def states(self) -> dict[str, str]:
        """Return what became of each path."""
        rows = WebsitePage.objects.filter(site=self.site, is_sitemap=False).order_by("address")
        return {each.address.removeprefix(self.origin): each.state async for each in rows}

    async def answered_from(self) -> list[str]:
        rows = Document.objects.filter(collection__website=self.site).order_by("address")
        return [each.address.removeprefix(self.origin) async for each in rows]

    @property
    def requested(self) -> list[str]:
        return [each.split()[1] for each in self.pages.requests]

    def _is_due(self) -> bool:
        from django.utils import timezone

        rows = Delivery.objects.filter(kind=crawls.CRAWL.name, due_at__lte=timezone.now())
        return rows.filter(claimed_until=None).exists()
