from django import template

from chat.lib.number_format import format_number, format_value

register = template.Library()
register.filter(format_number)


@register.filter
def compact(count: int) -> str:
    """Format a token count in thousands, such as 24K; below a thousand, unchanged."""
    return f"{format_number(round(count / 1000))}K" if count >= 1000 else str(count)


register.filter(format_value)
