from django import template

from chat.lib.figures import grouped, measured

register = template.Library()
register.filter(grouped)


@register.filter
def compact(count: int) -> str:
    """Format a token count in thousands, such as 24K; below a thousand, unchanged."""
    return f"{grouped(round(count / 1000))}K" if count >= 1000 else str(count)


register.filter(measured)
