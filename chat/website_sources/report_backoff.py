"""Ignore reports of a page for a time after they were for nothing. Some differ at each load."""

from datetime import timedelta

from django.utils import timezone

from chat.lib.limits import doubled
from chat.website_sources.models import WebsitePage

FIRST_SECONDS = 60
MOST_SECONDS = 24 * 3600


def after_reading(page: WebsitePage, *, has_changed: bool) -> dict[str, object]:
    """Return the fields of a page that was fetched, whether or not a report was the cause.

    If nothing new was found because of a report, further reports of the page are
    ignored, twice as long as the last time.
    """
    values: dict[str, object] = {"seen_hash": page.reported_hash or page.seen_hash}
    if has_changed:
        return values | {"ignore_seconds": 0, "ignored_until": None}
    if not page.is_urgent:
        return values
    seconds = int(doubled(page.ignore_seconds, 1, MOST_SECONDS)) or FIRST_SECONDS
    until = timezone.now() + timedelta(seconds=seconds)
    return values | {"ignore_seconds": seconds, "ignored_until": until}
