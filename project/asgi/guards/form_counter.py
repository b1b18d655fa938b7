"""Count what a form has, while it arrives; files are sent as multipart.

Django parses a form in Python before any view runs, at a microsecond or more for each escape, field
or part, in a thread that blocks all others of the process. Counting the bytes as they arrive costs
next to nothing.
"""

import re

from asgiref.typing import HTTPScope
from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest
from chat.web.http.json_body import RequestTooLong
from project.asgi.guards.refusals import header

#: For urlencoded forms; long texts are sent as multipart, without escapes.
MAX_URLENCODED_BYTES = 256 * 1024
#: For both kinds, more than any form here. Django's limit only counts what it has parsed.
MAX_FIELDS = 1000
URLENCODED, MULTIPART = b"application/x-www-form-urlencoded", b"multipart/form-data"
BOUNDARY = re.compile(rb";\s*boundary\s*=\s*\"?([^\";]+)", re.IGNORECASE)


class TooManyFields(BadRequest):
    text = _("This form has more fields than the site takes.")


class FormCounter:
    """Counts how often a separator is in a body that arrives in pieces, also where two meet."""

    def __init__(self, separator: bytes, most: int, max_bytes: int | None) -> None:
        self.separator, self.most, self.max_bytes = separator, most, max_bytes
        self.length = self.count = 0
        self._end = b""

    def add(self, piece: bytes) -> BadRequest | None:
        """Count a piece; return the error if the form takes too long to parse."""
        self.length += len(piece)
        joined = self._end + piece
        self.count += joined.count(self.separator)
        keep = len(self.separator) - 1
        self._end = joined[-keep:] if keep else b""
        if self.max_bytes is not None and self.length > self.max_bytes:
            return RequestTooLong()
        return TooManyFields() if self.count > self.most else None


def form_kind(scope: HTTPScope) -> bytes:
    """Return the content type of the body, if it is one of a form; else nothing."""
    kind = header(scope["headers"], b"content-type").partition(b";")[0].strip().lower()
    return kind if kind in (URLENCODED, MULTIPART) else b""


def counter_for(scope: HTTPScope) -> FormCounter | None:
    """Return a counter for the form that the request sends; None if it sends no form."""
    value = header(scope["headers"], b"content-type")
    kind = form_kind(scope)
    if kind == URLENCODED:
        return FormCounter(b"&", MAX_FIELDS, MAX_URLENCODED_BYTES)
    boundary = BOUNDARY.search(value)
    if kind == MULTIPART and boundary:
        return FormCounter(b"--" + boundary[1].strip(), MAX_FIELDS, None)
    return None
