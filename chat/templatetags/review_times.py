"""Show times to staff with the name of their zone."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def zoned(moment: datetime | None, style: str = "DATETIME_FORMAT") -> str:
    """Return the time in the reader's zone, which it names: an hour can occur twice a year."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    return f"{date_format(local, style)} {_zone_name(local)}"


@register.simple_tag
def moment(value: datetime, style: str = "SHORT_DATETIME_FORMAT") -> SafeString:
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), zoned(value, style))


def _zone_name(local: datetime) -> str:
    name = local.tzname() or ""
    return f"UTC{name}" if name[:1] in {"+", "-"} else name  # zones without an abbreviation
