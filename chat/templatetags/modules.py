"""Scripts in a page.

Each page has one script, into which `make assets` puts all that it imports. What is fetched on
demand stays out of it (project/npm/js_modules.py): scripts import that by name, and the import map
leads the names to hashed addresses.
"""

import json
from functools import cache
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def import_map(context: dict[str, Any]) -> SafeString:
    """The map from what scripts import to the addresses it is served at."""
    text = mark_safe(_import_map())  # noqa: S308  (our own file names, as JSON)
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>', context["CSP_NONCE"], text
    )


@register.simple_tag(takes_context=True)
def module(context: dict[str, Any], path: str) -> SafeString:
    """The script `path`.

    The page is first painted after it ran, so that what a tab remembers does not flash in.
    """
    script = '<script type="module" src="{}" nonce="{}" blocking="render"></script>'
    return format_html(script, static(path), context["CSP_NONCE"])


@register.simple_tag(takes_context=True)
def preload(context: dict[str, Any], name: str) -> SafeString:
    """Fetches beside the page's script what it will import by `name` at once."""
    link = '<link rel="modulepreload" href="{}" nonce="{}">'
    return format_html(link, static(settings.MODULES_ON_DEMAND[name]), context["CSP_NONCE"])


@cache
def _import_map() -> str:
    imports = {name: static(path) for name, path in settings.MODULES_ON_DEMAND.items()}
    # "<" could end the script element; JSON may write it as an escape.
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")
