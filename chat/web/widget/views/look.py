"""Serve the look of a site's button as a module, which the loader imports before showing it.

It has no more than the site needs: the code for messages beside the button only if there are any.
"""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chat.database import threads
from chat.lib.release_files import read_at_start
from chat.web.front_ends.callers import site_for
from chat.web.http.typed_requests import VisitorRequest
from chat.web.widget.languages import language_of
from chat.widget_sites.look import drafts
from chat.widget_sites.look.launcher_icons import path_of
from chat.widget_sites.look.proactive_messages import messages_of
from chat.widget_sites.look.texts import WidgetTexts
from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite

CACHE = "private, max-age=300"  # it depends on the page's origin and the visitor's language
#: Width and height of the chat; the website's own style sheet comes first.
SIZES = {"compact": (340, 520), "large": (480, 760)}


@require_safe
async def show(request: VisitorRequest, site_key: str) -> HttpResponse:
    """Return the module for pages of the site's origins; other pages show no button."""
    site = await site_for(request, site_key)
    draft = request.GET.get("draft", "")
    is_draft = bool(draft) and await threads.readers.run(drafts.apply, site, draft)
    look = shown_look(site, language_of(request, site), is_draft)
    body = b"export default " + msgspec.json.encode(look).replace(b"<", rb"\u003c")
    if "messages" in look:
        body += b";\n" + _messages_code()
    response = HttpResponse(body, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = CACHE
    response["Vary"] = "Accept-Language"
    return response


def shown_look(site: WidgetSite, language: str, is_draft: bool = False) -> dict[str, Any]:
    look = WidgetLook.of(site)
    with translation.override(language):
        shown: dict[str, Any] = {
            "color": look.color,
            "side": look.side,
            "label": WidgetTexts.of(site, language).label,
            "path": path_of(look.icon),
            "css": _styles(look),
            "unreachable": _("The chat can't be reached. Try again later."),
            "refused": _("The chat isn't available here."),
        }
        if messages := messages_of(site, language):
            shown |= {
                "messages": messages,
                "dismiss": _("Close"),
                "scheme": look.theme or "light dark",
                "consent": bool(site.consent),
                "isDraft": is_draft,
            }
    return shown


def _styles(look: WidgetLook) -> str:
    """Return the rules for the button's shadow root."""
    rules = ""
    if size := SIZES.get(look.size):
        rules += ":host{{--runnel-width:{}px;--runnel-height:{}px}}".format(*size)
    if look.icon == "none":
        rules += "div:not(.open) svg{display:none}"
    if look.theme:
        rules += f"div>i{{color-scheme:{look.theme}}}"
    return rules


@read_at_start
@cache
def _messages_code() -> bytes:
    """Return the code that applies the rules, as a part of a module."""
    return Path(str(finders.find("widget/messages.js"))).read_bytes()  # built, if there is a build
