"""What a list of links says of each."""

from django import template
from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.sharing.models import SharedLink

register = template.Library()


@register.filter
def address_of(request: HttpRequest, path: str) -> str:
    """The whole address, on the host that this page was asked from."""
    return request.build_absolute_uri(path)


@register.filter
def shown_beside(link: SharedLink) -> str:
    """What the copy shows beside the words."""
    shown = [
        _("Shows your name.") if link.author else "",
        _("Shows reasoning.") if link.has_reasoning else "",
        _("Shows model names.") if link.has_models else "",
    ]
    return " ".join(filter(None, shown))
