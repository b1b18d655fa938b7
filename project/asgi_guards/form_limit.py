"""Limit the size and number of fields of forms; files are sent as multipart.

Django parses a form in Python before any view runs, at a microsecond or more for each escape, field
or part, in a thread that blocks all others of the process. So these are counted as the bytes
arrive, which costs next to nothing.
"""

import re

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    HTTPScope,
    Scope,
)
from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest
from chat.lib import metrics
from project.asgi_guards.refusals import refuse

#: For urlencoded forms; long texts are sent as multipart, without escapes.
MAX_URLENCODED_BYTES = 256 * 1024
#: For both kinds, more than any form here. Django's limit only counts what it has parsed.
MAX_FIELDS = 1000
URLENCODED, MULTIPART = b"application/x-www-form-urlencoded", b"multipart/form-data"
BOUNDARY = re.compile(rb";\s*boundary\s*=\s*\"?([^\";]+)", re.IGNORECASE)


class FormTooLong(BadRequest):
    """413: an urlencoded form is too long."""

    code, status = "body_too_long", 413
    text = _("This is too long for this site. Shorten it. Your draft is saved.")


class TooManyFields(BadRequest):
    text = _("This form has more fields than the site takes.")


class FormLimit:
    """ASGI middleware that answers 413 or 400 to forms that would take long to parse."""

    def __init__(self, app: ASGI3Application) -> None:
        self.app = app

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        meter = _meter_for(scope) if scope["type"] == "http" else None
        if scope["type"] != "http" or meter is None:
            await self.app(scope, receive, send)
            return

        async def counted() -> ASGIReceiveEvent:
            event = await receive()
            if event["type"] == "http.request":
                meter.add(event["body"])
            return event

        try:
            await self.app(scope, counted, send)
        except (FormTooLong, TooManyFields) as error:
            metrics.record_shed("form_size")
            await refuse(scope, send, error)


class _Meter:
    """Count how often a separator is in a body that arrives in pieces, also where two meet."""

    def __init__(self, separator: bytes, most: int, max_bytes: int | None) -> None:
        self.separator, self.most, self.max_bytes = separator, most, max_bytes
        self.length = self.count = 0
        self._end = b""

    def add(self, piece: bytes) -> None:
        """Count a piece. Raise `FormTooLong` or `TooManyFields`, through Django, to the guard."""
        self.length += len(piece)
        joined = self._end + piece
        self.count += joined.count(self.separator)
        keep = len(self.separator) - 1
        self._end = joined[-keep:] if keep else b""
        if self.max_bytes is not None and self.length > self.max_bytes:
            raise FormTooLong
        if self.count > self.most:
            raise TooManyFields


def _meter_for(scope: HTTPScope) -> _Meter | None:
    value = next(
        (value for name, value in scope["headers"] if name.lower() == b"content-type"), b""
    )
    kind = value.partition(b";")[0].strip().lower()
    if kind == URLENCODED:
        return _Meter(b"&", MAX_FIELDS, MAX_URLENCODED_BYTES)
    boundary = BOUNDARY.search(value)
    if kind == MULTIPART and boundary:
        return _Meter(b"--" + boundary[1].strip(), MAX_FIELDS, None)
    return None
