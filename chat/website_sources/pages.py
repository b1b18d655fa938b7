"""Which page is read next, and what becomes of it. Each function is one short transaction."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from chat.indexing import documents
from chat.knowledge.access import own_collection, own_documents
from chat.knowledge.models import Document
from chat.website_sources import audience, scope
from chat.website_sources.addresses import digest_of, is_likely_page, pattern_of
from chat.website_sources.models import LASTMOD_LENGTH, WebsitePage, WebsiteSource
from chat.website_sources.report_backoff import after_reading
from chat.widget_sites.visits import open_sites

#: Longer than reading one takes. If the process dies, another one reads it after this.
LEASE = timedelta(seconds=120)
#: Of a website whose key no page names yet.
UNCONFIRMED_PAGES = 25
#: Pages found by links whose addresses differ in numbers only: those of a calendar have no end.
MAX_ALIKE = 100
MAX_DEPTH = 10
MAX_SITEMAPS = 50  # of a source
#: Of a sitemap, or of the links of a page, which are written at once.
MAX_CANDIDATES = 5000
BROWSER_PROBLEM = "rendering"  # of a page that the browser must build, and hasn't
RETRY_AFTER = tuple(timedelta(minutes=each) for each in (5, 30, 120))

State = WebsitePage.State


def take_next(site_id: int) -> WebsitePage | None:
    """Return the page that is due first, for this process to read; None if there is none."""
    now = timezone.now()
    for page in (
        _readable(site_id)
        .filter(due_at__lte=now)
        .order_by("-is_urgent", "-is_sitemap", "due_at", "pk")[:3]
    ):
        # Another process may be faster.
        if WebsitePage.objects.filter(pk=page.pk, due_at=page.due_at).update(due_at=now + LEASE):
            return page
    return None


def next_due_at(site_id: int) -> datetime | None:
    """Return when the next page of a website is due, if its crawl isn't over."""
    dues = _readable(site_id).filter(due_at__isnull=False).order_by("due_at")
    return dues.values_list("due_at", flat=True).first()


def put_back(page: WebsitePage) -> None:
    """Let a page wait that could not be asked for."""
    WebsitePage.objects.filter(pk=page.pk).update(due_at=timezone.now())


def postpone(page: WebsitePage, seconds: float) -> None:
    """Let all pages of a page's source wait, as its host can't be asked. Others go on."""
    until = timezone.now() + timedelta(seconds=seconds)
    same = WebsitePage.objects.filter(source=page.source_id, due_at__lt=until)
    (same | WebsitePage.objects.filter(pk=page.pk)).update(due_at=until)


def await_browser(page: WebsitePage, seconds: float) -> None:
    """Let a page wait for the browser that builds it. Others of its source go on."""
    until = timezone.now() + timedelta(seconds=seconds)
    waiting = WebsitePage.objects.filter(pk=page.pk, source=page.source_id)
    waiting.update(due_at=until, problem=BROWSER_PROBLEM)


def stop(source: WebsiteSource) -> None:
    """Read nothing more of a source. What was read stays."""
    WebsiteSource.objects.filter(pk=source.pk).update(is_active=False)


def record_result(page: WebsitePage, state: str, **values: object) -> None:
    """Store what became of a page that was asked for, unless another source has claimed it."""
    defaults = {"status": 0, "problem": "", "failures": 0, "missing_count": 0}
    WebsitePage.objects.filter(pk=page.pk, source=page.source_id).update(
        **{
            **defaults,
            "state": state,
            "due_at": None,
            "is_urgent": False,
            "fetched_at": timezone.now(),
            **after_reading(page, has_changed=state == State.READ),
            **values,
        }
    )
    # A browser may have reported a change while the page was being read.
    newer = WebsitePage.objects.filter(pk=page.pk).exclude(reported_hash=page.reported_hash)
    newer.update(due_at=timezone.now(), is_urgent=True)


def record_failure(page: WebsitePage, status: int = 0, problem: str = "") -> None:
    """Store that a page could not be read for now. It is tried again some times."""
    number = page.failures
    due_at = timezone.now() + RETRY_AFTER[number] if number < len(RETRY_AFTER) else None
    record_result(
        page, State.ERROR, status=status, problem=problem, failures=number + 1, due_at=due_at
    )


def skip(page: WebsitePage, state: str, **values: object) -> None:
    """Store why a page isn't read, and forget what it said before."""
    with transaction.atomic():
        record_result(page, state, text_hash="", etag="", last_modified="", **values)
        forget_text(page)


@transaction.atomic
def remove(page: WebsitePage) -> None:
    """Delete a page with its text."""
    WebsitePage.objects.filter(pk=page.pk).delete()
    forget_text(page)


def forget_text(page: WebsitePage) -> None:
    for document in documents_of(page):
        documents.remove(document)


def documents_of(page: WebsitePage) -> QuerySet[Document]:
    return own_documents(page.site_id).filter(address=page.address)


def is_indexed(page: WebsitePage) -> bool:
    """Return whether the text of a page is known, or about to be."""
    return documents_of(page).exclude(state=Document.State.FAILED).exists()


@transaction.atomic
def index(page: WebsitePage, name: str, text: str) -> None:
    """Make the text of a page what the website's chat, or only its team, gets answers from."""
    sources = WebsiteSource.objects.select_for_update(no_key=True, of=("self",))
    source = sources.filter(pages=page.pk).first()
    same = WebsitePage.objects.select_for_update(no_key=True).filter(pk=page.pk, source=source)
    if source is None or not same.exists():
        return  # its source was removed meanwhile, or another one has claimed it
    # Whom it is for may have changed while the page was read.
    collection = own_collection(page.site, is_for_team=source.is_for_team)
    documents.add(collection, page.site.owner, name, text.encode(), page.address)


def has_duplicate(page: WebsitePage, text_hash: str) -> bool:
    """Return whether another page of the website, which is read, has the same text.

    What visitors may not get doesn't replace a page for them, unless it is the same page.
    """
    same = WebsitePage.objects.filter(site=page.site_id, text_hash=text_hash).exclude(pk=page.pk)
    read = same.filter(state__in=(State.READ, State.UNCHANGED))
    if page.source.is_for_team:
        return read.exists()
    return read.filter(source__is_for_team=False).exists() or audience.is_twin(page, text_hash)


@transaction.atomic
def hide_twins(page: WebsitePage, text_hash: str) -> None:
    """If a page is for the team, take its text from visitors at other spellings of its address."""
    sources = WebsiteSource.objects.select_for_update(no_key=True)
    if sources.filter(pk=page.source_id, is_for_team=True).first():
        audience.hide_twins(page, text_hash)


def candidates(
    source: WebsiteSource, addresses: Iterable[str], *, are_links: bool = True
) -> list[str]:
    """Return the addresses that belong to a source, at most some. It may take a second."""
    inside = scope.inside(source, dict.fromkeys(addresses))
    likely = (each for each in inside if not are_links or is_likely_page(each))
    return list(islice(likely, MAX_CANDIDATES))


def add_found(
    source: WebsiteSource,
    candidates: Iterable[str],
    *,
    depth: int = 0,
    lastmods: dict[str, str] | None = None,
) -> int:
    """Add the addresses that aren't known; return how many were new. `candidates` chose them.

    Those of a sitemap have a `lastmod` each, and are due again if it has changed. What a source for
    the team lists is for the team, whichever other source lists it, too.
    """
    inside = list(candidates)
    if lastmods is None and depth > MAX_DEPTH:
        return 0
    with transaction.atomic():
        # Whom it is for may have changed while what lists the addresses was read.
        locked = WebsiteSource.objects.select_for_update(no_key=True).filter(pk=source.pk).first()
        if locked is None:
            return 0
        known = _known(source, inside)
        new = [each for each in inside if each not in known]
        if lastmods is not None:
            _note_changes(known, lastmods)
        if locked.is_for_team:
            audience.claim(source, known.values())
        return len(
            WebsitePage.objects.bulk_create(
                (
                    WebsitePage(
                        source=source,
                        site_id=source.site_id,
                        address=each,
                        digest=digest_of(each),
                        depth=depth,
                        pattern=pattern,
                        lastmod=(lastmods or {}).get(each, "")[:LASTMOD_LENGTH],
                    )
                    for each, pattern in _within_limits(source, new, is_listed=lastmods is not None)
                ),
                ignore_conflicts=True,  # another source may have added it meanwhile
            )
        )


def add_sitemaps(source: WebsiteSource, addresses: Iterable[str]) -> None:
    """Add sitemaps to read, at most some."""
    room = MAX_SITEMAPS - source.pages.filter(is_sitemap=True).count()
    known = set(source.pages.filter(is_sitemap=True).values_list("address", flat=True))
    new = [each for each in dict.fromkeys(addresses) if each and each not in known]
    WebsitePage.objects.bulk_create(
        (
            WebsitePage(
                source=source,
                site_id=source.site_id,
                address=each,
                digest=digest_of(f"sitemap {source.pk} {each}"),  # each source has its own
                is_sitemap=True,
            )
            for each in new[: max(0, room)]
        ),
        ignore_conflicts=True,
    )


def room_for_pages(source: WebsiteSource) -> int:
    """Return how many more pages the website may have."""
    pages = WebsitePage.objects.filter(site=source.site_id, is_sitemap=False)
    room: int = settings.WEBSITE_PAGES_LIMIT - pages.count()
    if not source.confirmed_at:
        room = min(room, UNCONFIRMED_PAGES - pages.filter(source=source).count())
    return max(0, room)


def _readable(site_id: int) -> QuerySet[WebsitePage]:
    pages = WebsitePage.objects.select_related("source__site", "site__owner")
    return pages.filter(site=site_id, source__is_active=True, site__in=open_sites())


def _known(source: WebsiteSource, addresses: list[str]) -> dict[str, WebsitePage]:
    found: dict[str, WebsitePage] = {}
    pages = WebsitePage.objects.filter(site=source.site_id, is_sitemap=False)
    for start in range(0, len(addresses), 500):
        digests = [digest_of(each) for each in addresses[start : start + 500]]
        found |= {each.address: each for each in pages.filter(digest__in=digests)}
    return found


def _note_changes(known: dict[str, WebsitePage], lastmods: dict[str, str]) -> None:
    changed = [
        page
        for address, page in known.items()
        if (lastmod := lastmods.get(address, "")[:LASTMOD_LENGTH]) and lastmod != page.lastmod
    ]
    for page in changed:
        page.lastmod = lastmods[page.address][:LASTMOD_LENGTH]
        page.due_at = timezone.now()
    WebsitePage.objects.bulk_update(changed, ["lastmod", "due_at"], batch_size=200)


def _within_limits(
    source: WebsiteSource, addresses: list[str], *, is_listed: bool
) -> list[tuple[str, str]]:
    """Return the addresses that the limits leave, with their patterns."""
    room = room_for_pages(source)
    patterns = {each: "" if is_listed else pattern_of(each) for each in addresses}
    counts = dict(
        source.pages.filter(pattern__in=set(patterns.values()))
        .exclude(pattern="")
        .values_list("pattern")
        .annotate(count=Count("pk", filter=Q(is_sitemap=False)))
    )
    kept: list[tuple[str, str]] = []
    for address, pattern in patterns.items():
        if len(kept) >= room:
            break
        if pattern and counts.get(pattern, 0) >= MAX_ALIKE:
            continue
        counts[pattern] = counts.get(pattern, 0) + 1
        kept.append((address, pattern))
    return kept
