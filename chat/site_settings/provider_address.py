"""Decide which addresses of model servers an administrator may enter in the page.

Public ones need HTTPS, because the token and all chats are sent there. Those of this machine and of
private networks are allowed with `PRIVATE_PROVIDERS`, also without encryption. The connection is
checked again when it is opened, with the address that the name then leads to.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from chat.lib.network_addresses import is_address, is_own_network, is_public

MAX_LENGTH = 300


def checked_address(text: str) -> str:
    """Return the address without a slash at its end. Raise `ValidationError`."""
    address = text.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        is_complete = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_complete = False
    if not is_complete or parts.scheme not in {"http", "https"} or len(address) > MAX_LENGTH:
        raise ValidationError(_("Enter the full address, such as https://api.example.org/v1."))
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValidationError(_("Enter the address without a user name, “?” or “#”."))
    host = parts.hostname or ""
    if parts.scheme == "http" and not settings.PRIVATE_PROVIDERS:
        raise ValidationError(_("The address must start with https://."))
    if is_address(host) and not may_connect(host, is_tls=parts.scheme == "https"):
        raise ValidationError(
            _(
                "This site isn't allowed to connect to this address. To allow it, set "
                "PRIVATE_PROVIDERS=yes."
            )
            if is_own_network(host)
            else _("This site isn't allowed to connect to this address.")
        )
    return address


def may_connect(address: str, *, is_tls: bool) -> bool:
    """Return whether a connection to this IP address is allowed."""
    if settings.PRIVATE_PROVIDERS and is_own_network(address):
        return True
    return is_tls and is_public(address)
