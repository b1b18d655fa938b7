"""Looks that owners are trying out beside a preview, for an hour. Nobody else knows their names."""

import re
import secrets
from typing import Any

from django.core.cache import cache

from chat.widget_sites.models import WidgetSite

SECONDS = 3600
NAME = re.compile(r"[\w-]{22}", re.ASCII)
FIELDS = ("look", "welcome", "starters")


def keep(site: WidgetSite, look: dict[str, Any]) -> str:
    """Keep `look` and the texts of the unsaved `site` in the cache; return the draft's name."""
    name = secrets.token_urlsafe(16)
    values = {"look": look, "welcome": site.welcome, "starters": site.starters}
    cache.set(_key(site, name), values, SECONDS)
    return name


def apply(site: WidgetSite, name: str) -> bool:
    """Give `site` the values of a draft, without saving them. Return False if there is none."""
    draft = cache.get(_key(site, name)) if NAME.fullmatch(name) else None
    if not draft:
        return False
    for field in FIELDS:
        setattr(site, field, draft[field])
    return True


def _key(site: WidgetSite, name: str) -> str:
    return f"look-draft:{site.pk}:{name}"
