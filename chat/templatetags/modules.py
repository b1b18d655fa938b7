"""Load scripts in a page.

Each page has one script, into which `make assets` bundles its imports. Modules that are loaded on
demand are separate (project/npm/js_modules.py): scripts import them by name, and the import map
resolves the names to hashed URLs.
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
    """Return the import map of modules that are loaded on demand."""
    text = mark_safe(_import_map())  # noqa: S308  (our own file names, as JSON)
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>', context["CSP_NONCE"], text
    )


@register.simple_tag(takes_context=True)
def module(context: dict[str, Any], path: str) -> SafeString:
    """Return the script tag for `path`.

    It blocks rendering until it has run, so that restored state does not flicker.
    """
    script = '<script type="module" src="{}" nonce="{}" blocking="render"></script>'
    return format_html(script, static(path), context["CSP_NONCE"])


@register.simple_tag(takes_context=True)
def preload(context: dict[str, Any], name: str) -> SafeString:
    """Preload the module `name` in parallel with the page's script."""
    link = '<link rel="modulepreload" href="{}" nonce="{}">'
    return format_html(link, static(settings.MODULES_ON_DEMAND[name]), context["CSP_NONCE"])


@cache
def _import_map() -> str:
    imports = {name: _address(path) for name, path in settings.MODULES_ON_DEMAND.items()}
    # An unescaped "<" could end the script element.
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")


def _address(path: str) -> str:
    """Return the hashed URL of a file, or the URL of a folder, whose path has a version."""
    return f"{settings.STATIC_URL}{path}" if path.endswith("/") else static(path)
