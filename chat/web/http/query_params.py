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
