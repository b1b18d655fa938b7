"""Show long text from other people."""

from django import template
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString, mark_safe

from chat.lib import breakable_text, combining

register = template.Library()
register.filter(combining.limit_marks)
BREAK = mark_safe("<wbr>")


@register.filter
def breakable(text: str) -> SafeString:
    """Return the text with places for line breaks where a browser takes long without them."""
    if len(text) <= breakable_text.MAX_RUN_LENGTH:
        return conditional_escape(text)
    lines = [_joined(parts) for parts in breakable_text.breakable(text)]
    if len(lines) == 1:
        return lines[0]
    return format_html_join("", '<span class="text-line">{}</span>', ((line,) for line in lines))


def _joined(parts: list[str]) -> SafeString:
    return mark_safe(BREAK.join(conditional_escape(part) for part in parts))  # noqa: S308 (escaped)
