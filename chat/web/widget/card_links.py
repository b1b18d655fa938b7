"""Tell the frame of a website which pages the cards in its answers may link to."""

import json

from chat.website_sources.models import WebsiteSource
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.origins import origin_of


def linked_origins(site: WidgetSite) -> str:
    """Return the origins as JSON: those that may show the chat, and those that it answers from.

    Only the owner's are https, or http on the owner's own machine (`origins.py`).
    """
    sources = WebsiteSource.objects.filter(site=site, is_for_team=False)
    read = [origin_of(address) for address in sources.values_list("address", flat=True)]
    safe = [origin for origin in read if origin.startswith("https://")]
    return json.dumps(list(dict.fromkeys([*site.origins, *safe])))
