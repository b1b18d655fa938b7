"""Tell a page which pages the cards in the answers of a website may link to."""

import json

from chat.website_sources.models import WebsiteSource
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.origins import origin_of


def linked_origins_for(visitor_id: int) -> str:
    """Return those of the visitor's website; empty if its answers have no cards."""
    site = WidgetSite.objects.filter(visitors__user=visitor_id, has_cards=True).first()
    return linked_origins(site) if site else ""


def linked_origins(site: WidgetSite) -> str:
    """Return the origins as JSON: those that may show the chat, and those that it answers from.

    Only the owner's are https, or http on the owner's own machine (`origins.py`).
    """
    sources = WebsiteSource.objects.filter(site=site, is_for_team=False)
    read = [origin_of(address) for address in sources.values_list("address", flat=True)]
    safe = [origin for origin in read if origin.startswith("https://")]
    return json.dumps(list(dict.fromkeys([*site.origins, *safe])))
