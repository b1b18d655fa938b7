"""Describe shared links in a list."""

from django import template
from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.sharing.models import SharedLink

register = template.Library()


@register.filter
def absolute_address(request: HttpRequest, path: str) -> str:
    """Return the absolute URL on the host of this request."""
    return request.build_absolute_uri(path)


@register.filter
def shared_details(link: SharedLink) -> str:
    """Describe what the snapshot shows besides the text."""
    shown = [
        _("Shows your name.") if link.author else "",
        _("Shows reasoning.") if link.has_reasoning else "",
        _("Shows model names.") if link.has_models else "",
    ]
    return " ".join(filter(None, shown))
