"""Render icons as inline SVG when a template is compiled.

The tag's arguments are literals, so an icon is plain text from then on. Its style (no fill, a line
in the colour of the text) is in static/css/base/elements.css instead of in each icon.
"""

import re
from functools import cache

from django import template
from django.template.base import Node, Parser, TextNode, Token, token_kwargs
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from lucide import IconDoesNotExist
from lucide.templatetags.lucide import lucide as drawn_by_library

register = template.Library()

#: In pixels; static/css/base/elements.css gives it to icons without a size, as most are.
DEFAULT_SIZE = 18
CLASS = "icon"


@register.tag
def lucide(parser: Parser, token: Token) -> Node:
    """`{% lucide "name" size=16 class="…" %}`; icons are hidden from screen readers."""
    _tag, name, *words = token.split_contents()
    nothing = template.Context()
    given = {key: value.resolve(nothing) for key, value in token_kwargs(words, parser).items()}
    if words:
        raise template.TemplateSyntaxError(f"lucide does not take {words[0]!r}")
    given.pop("aria_hidden", None)
    size, classes = given.pop("size", DEFAULT_SIZE), given.pop("class", "")
    if given:
        raise template.TemplateSyntaxError(f"lucide does not take {next(iter(given))!r}")
    return TextNode(icon(name.strip("\"'"), size, classes))


def icon(name: str, size: int, classes: str = "") -> SafeString:
    """Return the SVG element. Raise TemplateSyntaxError for a name that the library lacks."""
    return format_html(
        '<svg class="{}"{} viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
        f"{CLASS} {classes}".strip(),
        format_html(' width="{0}" height="{0}"', size) if size != DEFAULT_SIZE else "",
        _shapes(name),
    )


@cache
def _shapes(name: str) -> SafeString:
    """Return the contents of the library's SVG element, without space between the shapes."""
    try:
        svg: str = drawn_by_library(name, size=None)
    except IconDoesNotExist as error:
        raise template.TemplateSyntaxError(str(error)) from error
    shapes = svg[svg.index(">") + 1 : svg.rindex("<")].strip()
    return mark_safe(re.sub(r"\s*(/?>|$)\s*", r"\1", shapes))  # noqa: S308  (the library's)
