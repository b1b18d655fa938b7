"""Render icons as inline SVG when a template is compiled.

The tag's arguments are literals, so an icon is plain text from then on. Its style (no fill, a line
in the colour of the text) is in static/css/base/elements.css instead of in each icon.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from zipfile import ZipFile

from django import template
from django.template.base import Node, Parser, TextNode, Token, token_kwargs
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

#: In pixels; static/css/base/elements.css gives it to icons without a size, as most are.
DEFAULT_SIZE = 18
CLASS = "icon"
NAMED = re.compile(r"{% lucide \"([a-z0-9-]+)\"")

_kept: dict[str, SafeString] = {}


@register.tag
def lucide(parser: Parser, token: Token) -> Node:
    """`{% lucide "name" size=16 class="…" %}`; icons are hidden from screen readers."""
    _tag, name, *words = token.split_contents()
    nothing = template.Context()
    attributes = {key: value.resolve(nothing) for key, value in token_kwargs(words, parser).items()}
    if words:
        raise template.TemplateSyntaxError(f"lucide does not take {words[0]!r}")
    attributes.pop("aria_hidden", None)
    size, classes = attributes.pop("size", DEFAULT_SIZE), attributes.pop("class", "")
    if attributes:
        raise template.TemplateSyntaxError(f"lucide does not take {next(iter(attributes))!r}")
    return TextNode(icon(name.strip("\"'"), size, classes))


def icon(name: str, size: int, classes: str = "") -> SafeString:
    """Return the SVG element. Raise TemplateSyntaxError for a name that the library lacks."""
    return format_html(
        '<svg class="{}"{} viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
        f"{CLASS} {classes}".strip(),
        format_html(' width="{0}" height="{0}"', size) if size != DEFAULT_SIZE else "",
        _shapes(name),
    )


def read_icons(templates: Iterable[str]) -> None:
    """Keep the icons that these templates name, so that compiling them reads no file."""
    names = {name for text in templates for name in NAMED.findall(text)}
    with _archive() as archive:
        for name in names:
            _kept[name] = _shapes_in(archive, name)


@cache
def _shapes(name: str) -> SafeString:
    """Return the contents of the library's SVG element, as short as it may be."""
    if name in _kept:
        return _kept[name]
    with _archive() as archive:
        return _shapes_in(archive, name)


def _archive() -> ZipFile:
    return ZipFile(str(files("lucide") / "lucide.zip"))


def _shapes_in(archive: ZipFile, name: str) -> SafeString:
    try:
        svg = archive.read(f"{name}.svg").decode()
    except KeyError:
        raise template.TemplateSyntaxError(f"there is no icon {name!r}") from None
    shapes = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("<")].strip()
    # Nobody sees a thousandth of a unit: an icon is 24 units wide.
    shapes = re.sub(r"(\.\d\d)\d+", r"\1", shapes)
    return mark_safe(re.sub(r"\s*(/?>|$)\s*", r"\1", shapes))  # noqa: S308  (the library's)
