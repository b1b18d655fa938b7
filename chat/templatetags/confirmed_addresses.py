"""Tell members of what waits until they have confirmed their email address."""

from django import template
from django.contrib.auth.models import AnonymousUser

from chat.accounts import confirmed_addresses
from chat.accounts.models import User

register = template.Library()


@register.filter
def has_unconfirmed(user: User | AnonymousUser) -> bool:
    """Return whether they have an address to confirm; False for whoever isn't signed in."""
    return isinstance(user, User) and confirmed_addresses.has_unconfirmed(user)
