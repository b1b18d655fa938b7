from django.utils.translation import gettext as _

from chat.errors import BadRequest


def message_number(text: str | None) -> int | None:
    """The message that a query names, if it names one."""
    if text is None:
        return None
    number = whole_number(text)
    if number is None:
        raise BadRequest(_("The message ID must be a number."))
    return number


def whole_number(text: str) -> int | None:
    """Return the number that a database could have as an id; None if `text` is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
