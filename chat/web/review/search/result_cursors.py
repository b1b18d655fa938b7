"""Write the position in a list of results into links, and read it."""

import re
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from chat.conversations.search.position import LAST
from chat.errors import BadRequest
from chat.lib.moments import moment_in
from chat.review.search.result_pages import SearchCursor

MAX_NUMBER = 1e15  # that results can be sorted by
PLACE = re.compile(r"[0-9]{1,18}|[1-8][0-9]{18}")


def write_cursor(cursor: SearchCursor | None) -> str:
    """Return the cursor for a link to the next page; empty if there is none."""
    if cursor is None:
        return ""
    value = cursor.value.isoformat() if isinstance(cursor.value, datetime) else f"n{cursor.value}"
    return f"{value},{cursor.id}"


def read_cursor(text: str) -> SearchCursor | None:
    """Return the cursor of a list. Raise `BadRequest` if it is invalid."""
    if not text:
        return None
    try:
        value, name = text.split(",")
        if value.startswith("n"):
            number = float(value[1:])
            if not abs(number) < MAX_NUMBER:
                raise ValueError
            return SearchCursor(number, UUID(name))
        return SearchCursor(moment_in(value), UUID(name))
    except ValueError:
        raise BadRequest(_("The list has changed. Reload the page.")) from None


def read_position(text: str) -> int:
    """Return the position in search results. Raise `BadRequest` if it is invalid."""
    if not text:
        return LAST
    if not PLACE.fullmatch(text):
        raise BadRequest(_("The list has changed. Reload the page."))
    return int(text)
