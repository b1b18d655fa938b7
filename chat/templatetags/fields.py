from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language

register = template.Library()


@register.filter
def bare(field: BoundField) -> SafeString:
    """The input alone. Labels are visible here, so a placeholder that repeats one is left out."""
    return field.as_widget(attrs={"placeholder": False})


@register.filter
def in_sentence_case(label: str) -> str:
    """English labels come in Title Case from elsewhere; other languages write nouns as they do."""
    is_english = (get_language() or "en").startswith("en")
    return capfirst(label.lower() if is_english else label)
