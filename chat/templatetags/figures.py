from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def grouped(number: float) -> str:
    """The number as the language writes it, without idle zeros."""
    text = f"{number:f}".rstrip("0").rstrip(".") if isinstance(number, float) else number
    return str(number_format(text, force_grouping=True))
