from django import template

from chat.lib.figures import grouped, measured

register = template.Library()
register.filter(grouped)


@register.filter
def compact(count: int) -> str:
    """A count of tokens in thousands, such as 24K; below a thousand as it is."""
    return f"{grouped(round(count / 1000))}K" if count >= 1000 else str(count)


register.filter(measured)
