"""Choose the language of what a website's visitors see."""

from django.http import HttpRequest
from django.utils import translation

from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite


def language_of(request: HttpRequest, site: WidgetSite) -> str:
    """Return the language that the website's tag or the site's owner asks for, or the browser's."""
    for wanted in (request.GET.get("lang", ""), WidgetLook.of(site).lang):
        try:
            return translation.get_supported_language_variant(wanted)
        except LookupError:
            continue
    return translation.get_language() or "en"
