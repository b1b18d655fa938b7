"""Publish the web app manifest, with which browsers install the site as an app.

Programs that share text open a new chat with it (`share_target`): see `shared_text`.
"""

import json

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from chat.site_settings import effective

#: The site's light canvas. Pages set the colour of the browser's bar themselves, also for dark.
CANVAS = "#fbfaf7"
ICONS = [
    ("icons/app-192.png", "192x192", "any"),
    ("icons/app-512.png", "512x512", "any"),
    ("icons/app-maskable-512.png", "512x512", "maskable"),
]
#: What a program shares → its name in the query.
SHARED_FIELDS = {"title": "shared_title", "text": "shared_text", "url": "shared_url"}
MAX_SHARED_LENGTH = 8_000


@require_safe
@cache_control(public=True, max_age=24 * 3600)
def show(request: HttpRequest) -> HttpResponse:
    chat = reverse("chat")
    manifest = {
        "id": chat,
        "name": effective.site_name(),
        "short_name": effective.site_name(),
        "start_url": chat,
        "scope": "/",
        "display": "standalone",
        "background_color": CANVAS,
        "theme_color": CANVAS,
        "icons": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for path, sizes, purpose in ICONS
        ],
        "share_target": {
            "action": chat,
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": SHARED_FIELDS,
        },
    }
    return HttpResponse(json.dumps(manifest), content_type="application/manifest+json")


def shared_text(request: HttpRequest) -> str:
    """Return what a program shared with a new chat, as text for the message box; "" if nothing.

    Many programs send the same title as text, or put the address into the text.
    """
    parts: list[str] = []
    for name in SHARED_FIELDS.values():
        part = request.GET.get(name, "").replace("\0", "").strip()
        if part and not any(part in earlier for earlier in parts):
            parts = [earlier for earlier in parts if earlier not in part]
            parts.append(part)
    return "\n".join(parts)[:MAX_SHARED_LENGTH]
