from django.utils.translation import gettext as _

from chat.errors import BadRequest


def message_number(text: str | None) -> int | None:
    """The message that a query names, if it names one."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise BadRequest(_("A message must be named by its number."))
    return int(text)
