"""Write a time with the name of its zone: an hour can occur twice a year."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format


def zoned(moment: datetime | None, style: str = "DATETIME_FORMAT") -> str:
    """Return the time in the reader's zone, which it names."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    return f"{date_format(local, style)} {_zone_name(local)}"


def _zone_name(local: datetime) -> str:
    name = local.tzname() or ""
    return f"UTC{name}" if name[:1] in {"+", "-"} else name  # zones without an abbreviation
