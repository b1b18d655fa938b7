from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language

register = template.Library()


@register.filter
def bare_input(field: BoundField) -> SafeString:
    """Render only the input, without a placeholder that repeats its visible label."""
    return field.as_widget(attrs={"placeholder": False})


@register.filter
def sentence_case(label: str) -> str:
    """Convert an English Title Case label to sentence case; leave other languages unchanged."""
    is_english = (get_language() or "en").startswith("en")
    return capfirst(label.lower() if is_english else label)
