"""ES modules in a page, without a build step.

Static files have hashed names, but a module imports `./lib/sse.js`. The import map leads every
plain address to the hashed one, so the sources stay as they are; packages of npm have their own
names, as in Node. Works the same where names are not hashed.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from posixpath import dirname, join, normpath
from typing import Any

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import FileSystemFinder
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

IMPORTED = re.compile(
    r"""^(?:import|(?:import|export)\b[^"';]*\bfrom)\s*["']([^"']+)["']""", re.MULTILINE
)


@register.simple_tag(takes_context=True)
def import_map(context: dict[str, Any]) -> SafeString:
    """The map from what scripts import to the addresses it is served at."""
    text = mark_safe(_once(_import_map))  # noqa: S308  (our own file names, as JSON)
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>', context["CSP_NONCE"], text
    )


@register.simple_tag(takes_context=True)
def module(context: dict[str, Any], path: str) -> SafeString:
    """The module `path`, and a preload for everything that it imports.

    The page is first painted after the module ran, so that what a tab remembers does not flash in.
    """
    nonce = context["CSP_NONCE"]
    preloads = format_html_join(
        "\n",
        '<link rel="modulepreload" href="{}" nonce="{}">',
        ((static(each), nonce) for each in _once(_imports_of, path)),
    )
    script = '{}\n<script type="module" src="{}" nonce="{}" blocking="render"></script>'
    return format_html(script, preloads, static(path), nonce)


def _import_map() -> str:
    imports = {settings.STATIC_URL + path: static(path) for path in sorted(_own_modules())}
    imports |= {name: static(path) for name, path in settings.NPM_MODULES.items()}
    # "<" could end the script element; JSON may write it as an escape.
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")


def _own_modules() -> Iterator[str]:
    for path, _ in FileSystemFinder().list([]):
        if path.startswith("js/") and path.endswith(".js"):
            yield path


def _imports_of(path: str) -> list[str]:
    """Every module that `path` needs, itself first."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting:
        current = waiting.pop()
        if current not in found:
            found[current] = None
            waiting += _direct_imports(current)
    return list(found)


def _direct_imports(path: str) -> list[str]:
    file_name = finders.find(path)
    if not file_name:
        raise template.TemplateSyntaxError(f"There is no static file {path}")
    if path in settings.NPM_MODULES.values():
        return []  # they import nothing
    with open(file_name, encoding="utf-8") as file:
        targets = IMPORTED.findall(file.read())
    packages = settings.NPM_MODULES
    return [packages.get(each) or normpath(join(dirname(path), each)) for each in targets]


def _once(make: Any, *arguments: Any) -> Any:
    """Files do not change under a running server, except during development."""
    return make(*arguments) if settings.DEBUG else _cached(make, *arguments)


@cache
def _cached(make: Any, *arguments: Any) -> Any:
    return make(*arguments)
