"""The ASGI entry: what a server process loads.

HTTP goes through the body limit to Django. WebSockets are refused until something listens there.
Servers that speak `lifespan` (uvicorn; Daphne does not) get the upstream client closed at the end.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from project.body_limit import BodyLimit

django_application = get_asgi_application()

from chat.relay import clients  # noqa: E402  (models are ready only now)


async def http(scope: Scope, receive: ASGIReceiveCallable, send: Any) -> None:
    """Django, without the path prefix that Daphne lets any client claim by a header."""
    await django_application({**scope, "root_path": ""}, receive, send)


async def refuse(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1000, "reason": ""})


async def lifespan(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    while True:
        event = await receive()
        if event["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        else:
            await clients.close()
            await send({"type": "lifespan.shutdown.complete"})
            return


application = ProtocolTypeRouter(
    {
        "http": BodyLimit(http, settings.MAX_BODY_BYTES),
        "websocket": refuse,
        "lifespan": lifespan,
    }
)
