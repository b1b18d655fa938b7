"""Accept requests in UTF-8 only, so that clients cannot choose the codec.

Django decodes forms and queries with the `charset` of Content-Type, for any codec that Python has.
Some take quadratic time (punycode), others only work on bytes and would cause a server error.
"""

import re

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest
from chat.lib import metrics
from project.asgi.guards.refusals import refuse

UTF_8 = frozenset({b"utf-8", b"utf8", b"us-ascii", b"ascii"})
CHARSET = re.compile(rb";\s*charset\s*=\s*[\"']?([^\"';\s]*)", re.IGNORECASE)
#: RFC 2231: `name*=codec'language'value`, which Django decodes with that codec.
EXTENDED = re.compile(rb";[^=;]*\*\s*=")


class NotUtf8(BadRequest):
    """415: the request names a charset other than UTF-8."""

    code, status = "unsupported_charset", 415
    text = _("Requests have to be in UTF-8.")


class CharsetGuard:
    """ASGI middleware that answers 415 to requests that name a charset other than UTF-8."""

    def __init__(self, app: ASGI3Application) -> None:
        self.app = app

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] == "http" and not all(map(_is_utf_8, scope["headers"])):
            metrics.record_shed("charset")
            await refuse(scope, send, NotUtf8())
        else:
            await self.app(scope, receive, send)


def _is_utf_8(header: tuple[bytes, bytes]) -> bool:
    name, value = header
    if name.lower() != b"content-type":
        return True
    named = {charset.lower() for charset in CHARSET.findall(value)}
    return named <= UTF_8 and not EXTENDED.search(value)
