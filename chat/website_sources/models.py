"""Store what is read of a website: its sources, their pages, and when a host may be asked again."""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.knowledge.models import ADDRESS_LENGTH, DOCUMENT_NAME_LENGTH
from chat.widget_sites.models import WidgetSite

HASH_LENGTH = 64
HEADER_LENGTH = 200
LASTMOD_LENGTH = 40
MAX_SOURCES = 20  # of one website


class WebsiteSource(models.Model):
    """Pages of one host: those of its sitemaps, those that a start page leads to, or just one."""

    class Kind(models.TextChoices):
        SITE = "site", _("Website")
        PAGE = "page", _("Single page")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="sources")
    kind = models.CharField(max_length=4, choices=Kind.choices, default=Kind.SITE)
    address = models.CharField(max_length=ADDRESS_LENGTH)
    # Those that were found when it was added. Without any, links are followed.
    sitemaps = models.JSONField(default=list, blank=True)
    includes = models.JSONField(default=list, blank=True)  # scope.py
    excludes = models.JSONField(default=list, blank=True)
    is_active = models.BooleanField(default=True)
    # Visitors get no answers from its pages, which help the website's team to write.
    is_for_team = models.BooleanField(default=False, db_default=False)
    # When a page was found that names the website's key. Before that, little is read.
    confirmed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    crawled_at = models.DateTimeField(null=True)  # the beginning of the last time
    next_crawl_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["next_crawl_at"], name="sources_by_next_crawl")]

    def __str__(self) -> str:
        return f"source {self.pk} of site {self.site_id}"

    @property
    def follows_links(self) -> bool:
        return self.kind == self.Kind.SITE and not self.sitemaps


class WebsitePage(models.Model):
    """An address of a source, and what became of reading it. A sitemap is one, too.

    Its text is a document of one of the website's collections, found by its address.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        READ = "read", _("Read")
        UNCHANGED = "unchanged", _("Unchanged")
        ROBOTS = "robots", _("Not allowed by robots.txt")
        NOINDEX = "noindex", _("Marked noindex")
        CANONICAL = "canonical", _("Names another address as canonical")
        REDIRECT = "redirect", _("Redirects to another address")
        LOGIN = "login", _("Redirects to a sign-in page")
        NOT_HTML = "not_html", _("Not a web page")
        TOO_LARGE = "too_large", _("Too large")
        EMPTY = "empty", _("No text without scripts")
        DUPLICATE = "duplicate", _("Same text as another page")
        UNREADABLE = "unreadable", _("Too complex to read")
        MISSING = "missing", _("Not found")
        ERROR = "error", _("Error")
        FULL = "full", _("No space left")

    source = models.ForeignKey(WebsiteSource, on_delete=models.CASCADE, related_name="pages")
    site = models.ForeignKey(WidgetSite, on_delete=models.CASCADE, related_name="source_pages")
    address = models.CharField(max_length=ADDRESS_LENGTH)
    # Of the address, because some databases can't index one that long.
    digest = models.CharField(max_length=HASH_LENGTH)
    is_sitemap = models.BooleanField(default=False)
    depth = models.PositiveSmallIntegerField(default=0)  # links from the start
    pattern = models.CharField(max_length=HASH_LENGTH, blank=True)  # addresses.py
    title = models.CharField(max_length=DOCUMENT_NAME_LENGTH, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    status = models.PositiveSmallIntegerField(default=0)  # of HTTP, for an error
    problem = models.CharField(max_length=20, blank=True)  # if there was no response
    # When to read it; a process that does moves it on first. None: with the next crawl.
    due_at = models.DateTimeField(null=True, default=timezone.now)
    is_urgent = models.BooleanField(default=False)  # a visitor's browser saw it change
    failures = models.PositiveSmallIntegerField(default=0)  # in a row, that may pass
    missing_count = models.PositiveSmallIntegerField(default=0)  # in a row
    fetched_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(null=True)
    received_bytes = models.PositiveBigIntegerField(default=0)  # the last time
    etag = models.CharField(max_length=HEADER_LENGTH, blank=True)
    last_modified = models.CharField(max_length=HEADER_LENGTH, blank=True)
    lastmod = models.CharField(max_length=LASTMOD_LENGTH, blank=True)  # of the sitemap
    text_hash = models.CharField(max_length=HASH_LENGTH, blank=True)
    # freshness.py
    seen_hash = models.CharField(max_length=HASH_LENGTH, blank=True)
    reported_hash = models.CharField(max_length=HASH_LENGTH, blank=True)
    ignore_seconds = models.PositiveIntegerField(default=0)
    ignored_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["site", "digest"], name="one_page_per_site_address")
        ]
        indexes = [
            models.Index(fields=["site", "due_at"], name="source_pages_due"),
            models.Index(fields=["due_at"], name="source_pages_by_due_time"),
            models.Index(fields=["source", "state"], name="source_pages_by_state"),
        ]

    def __str__(self) -> str:
        return f"page {self.pk} of site {self.site_id}"


class CrawlTurn(models.Model):
    """When the next request may be sent: to a host, or for a member (turns.py).

    A host's row also has its robots.txt.
    """

    name = models.CharField(max_length=300, primary_key=True)
    free_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveSmallIntegerField(default=0)  # in a row
    robots_origin = models.CharField(max_length=300, blank=True)
    robots = models.TextField(blank=True)
    robots_status = models.PositiveSmallIntegerField(default=0)  # 0: there was no response
    robots_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
