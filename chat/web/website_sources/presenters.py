"""Prepare the sources of a website, and their pages, for the owner's page."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.indexing.errors import PROBLEMS
from chat.knowledge.access import own_documents
from chat.knowledge.models import Document
from chat.website_sources.models import CrawlTurn, WebsitePage, WebsiteSource
from chat.website_sources.pages import BROWSER_PROBLEM, UNCONFIRMED_PAGES
from chat.website_sources.requests import host_of, is_unusable
from chat.widget_sites.models import WidgetSite

PAGES_ON_A_PAGE = 50
State = WebsitePage.State
#: What the list of a website's pages calls good news.
READ = frozenset({State.READ, State.UNCHANGED})


def sources_context(site: WidgetSite, query: QueryDict) -> dict[str, Any]:
    """Return the sources, and a page of their pages; `state` asks for those in one state."""
    counts = dict(site.source_pages.values_list("state").annotate(Count("pk")).order_by("state"))
    shown_state = query.get("state", "")
    rows = site.source_pages.order_by("-is_sitemap", "address")
    rows = rows.filter(state=shown_state) if shown_state in counts else rows
    page = Paginator(rows, PAGES_ON_A_PAGE).get_page(query.get("page"))
    _add_reasons(site, page)
    active = site.source_pages.filter(source__is_active=True)
    return {
        "site": site,
        "sources": _shown(_sources(site)),
        "page": page,
        "filters": [
            (state, label, counts[state]) for state, label in State.choices if state in counts
        ],
        "total": sum(counts.values()),
        "pending": active.filter(due_at__lte=timezone.now()).count(),
        "shown_state": shown_state if shown_state in counts else "",
        "most_pages": settings.WEBSITE_PAGES_LIMIT,
        "unconfirmed_pages": UNCONFIRMED_PAGES,
    }


def _sources(site: WidgetSite) -> list[WebsiteSource]:
    known = Count("pages", filter=Q(pages__state__in=READ, pages__is_sitemap=False))
    return list(site.sources.annotate(read_count=known).order_by("created_at"))


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source. `lacks_robots` says that nothing is read, as its host can't say what it allows."""

    source: WebsiteSource
    lacks_robots: bool


def _shown(sources: list[WebsiteSource]) -> list[ShownSource]:
    hosts = {host_of(each.address) for each in sources}
    known = CrawlTurn.objects.filter(name__in=hosts).exclude(robots_at=None)
    lacking = {each.name for each in known if is_unusable(each.robots_status)}
    return [ShownSource(each, host_of(each.address) in lacking) for each in sources]


def _add_reasons(site: WidgetSite, page: Page) -> None:  # type: ignore[type-arg]
    addresses = [each.address for each in page]
    documents = own_documents(site.pk).filter(address__in=addresses)
    by_address = {each.address: each for each in documents.order_by("created_at")}
    for each in page:
        document = by_address.get(each.address)
        each.is_good = each.state in READ
        each.reason = _reason(each, document)
        each.passage_count = document.passage_count if document else 0


def _reason(page: WebsitePage, document: Document | None) -> str:
    if page.state == State.ERROR and page.status:
        return _("Error {status}").format(status=page.status)
    if page.state == State.ERROR and page.problem == BROWSER_PROBLEM:
        return _("The page is built by scripts, which couldn't be run.")
    if page.state == State.ERROR:
        return _("No response")
    if document and document.state == Document.State.FAILED:
        return str(PROBLEMS.get(document.problem, ""))
    return ""
