"""Serve the look of a site's button as a module, which the loader imports before it shows it."""

import msgspec
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chat.web.front_ends.callers import site_for
from chat.web.http.typed_requests import VisitorRequest
from chat.web.widget.languages import language_of
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.site_look import SiteLook

CACHE = "private, max-age=300"  # it depends on the page's origin and the visitor's language


@require_safe
async def show(request: VisitorRequest, site_key: str) -> HttpResponse:
    """Return the module for pages of the site's origins; other pages show no button."""
    site = await site_for(request, site_key)
    look = shown_look(site, language_of(request, site))
    body = msgspec.json.encode(look).replace(b"<", rb"\u003c")
    response = HttpResponse(
        b"export default " + body, content_type="text/javascript; charset=utf-8"
    )
    response["Cache-Control"] = CACHE
    response["Vary"] = "Accept-Language"
    return response


def shown_look(site: WidgetSite, language: str) -> dict[str, str]:
    look = SiteLook.of(site)
    with translation.override(language):
        return {
            "color": look.color,
            "side": look.side,
            "label": look.label,
            "unreachable": _("The chat can't be reached. Try again later."),
            "refused": _("The chat isn't available here."),
        }
