"""Publish the web app manifest, with which browsers install the site as an app.

Programs that share text open a new chat with it (`share_target`): see shared_text.py.
"""

import json

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from chat.site_settings import effective
from chat.web.chat.shared_text import SHARED_FIELDS

#: The site's light canvas. Pages set the colour of the browser's bar themselves, also for dark.
CANVAS = "#fbfaf7"
ICONS = [
    ("icons/app-192.png", "192x192", "any"),
    ("icons/app-512.png", "512x512", "any"),
    ("icons/app-maskable-512.png", "512x512", "maskable"),
]


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
