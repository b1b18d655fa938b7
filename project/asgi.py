"""The ASGI entry: what a server process loads.

HTTP goes through guards to Django. WebSockets are refused until something listens there. What the
process does besides answering (chat/relay/life.py) begins with the server and ends with it, in the
way that each server offers: see project/lifespan.py.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import reverse

from project.body_limit import BodyLimit
from project.stall_limit import StallLimit

django_application = get_asgi_application()

from project import lifespan  # noqa: E402  (models are ready only now)


async def http(scope: Scope, receive: ASGIReceiveCallable, send: Any) -> None:
    """Django, without the path prefix that Daphne lets any client claim by a header."""
    await django_application({**scope, "root_path": ""}, receive, send)


async def refuse(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1000, "reason": ""})


#: With what a form needs around its file.
uploads = {reverse("import"): settings.MAX_IMPORT_BYTES + 64 * 1024}
application = ProtocolTypeRouter(
    {
        "http": StallLimit(
            BodyLimit(http, settings.MAX_BODY_BYTES, uploads), settings.STALL_SECONDS
        ),
        "websocket": refuse,
        "lifespan": lifespan.application,
    }
)
lifespan.begin_under_daphne()
