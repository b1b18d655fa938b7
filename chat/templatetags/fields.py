from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def bare(field: BoundField) -> SafeString:
    """The input alone. Labels are visible here, so a placeholder that repeats one is left out."""
    return field.as_widget(attrs={"placeholder": False})
