from django.utils.translation import gettext as _

from chat.errors import BadRequest


def message_number(text: str | None) -> int | None:
    """Return the message ID in a query, or None. Raise `BadRequest` if it is not a number."""
    if text is None:
        return None
    number = whole_number(text)
    if number is None:
        raise BadRequest(_("The message ID must be a number."))
    return number


def whole_number(text: str) -> int | None:
    """Return `text` as a number that fits a database ID, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
