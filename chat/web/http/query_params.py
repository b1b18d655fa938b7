"""Read the parameters of queries."""

from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.lib.whole_number import whole_number


def message_number(text: str | None) -> int | None:
    """Return the message ID in a query, or None. Raise `BadRequest` if it is not a number."""
    if text is None:
        return None
    number = whole_number(text)
    if number is None:
        raise BadRequest(_("The message ID must be a number."))
    return number


def query_of(request: HttpRequest, names: Iterable[str]) -> str:
    """Return these filters of a list as a query string, without its page."""
    values = [(name, request.GET.get(name, "").strip()) for name in names]
    return urlencode([(name, value) for name, value in values if value])
