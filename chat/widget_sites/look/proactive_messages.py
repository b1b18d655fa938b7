"""Messages that appear beside the button of a closed chat, by rules of the site's owner.

The website's page decides when (static/widget/messages.js), so no request is needed. A message is
named by its content: one that was changed is a new one, also to visitors who dismissed the old one.
"""

import json
from hashlib import sha256
from typing import Any

from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite

MOST = 5
ID_CHARACTERS = 8
CONDITIONS = ("path", "seconds", "scrolled", "returning")


def messages_of(site: WidgetSite, language: str) -> list[dict[str, Any]]:
    """Return the messages with their conditions, in the order in which they apply."""
    return [
        {name: each[name] for name in CONDITIONS if each.get(name)}
        | {"id": _id(each), "text": each.get("texts", {}).get(language) or each["text"]}
        for each in WidgetLook.of(site).messages
    ]


def texts_by_id(site: WidgetSite, language: str) -> dict[str, str]:
    return {each["id"]: each["text"] for each in messages_of(site, language)}


def _id(message: dict[str, Any]) -> str:
    return sha256(json.dumps(message, sort_keys=True).encode()).hexdigest()[:ID_CHARACTERS]
