"""Define the ASGI application that server processes load.

HTTP goes through guards to Django, WebSockets to socket_routes.py. Background work of the process
(server_process.py) starts and stops with the server: see project/lifespan.py.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

from importlib import import_module
from typing import Any

import django
from asgiref.typing import ASGIReceiveCallable, Scope
from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.urls import reverse

from project.asgi.guards.body_guard import BodyGuard, BodyLimits
from project.asgi.guards.broken_answers import BrokenAnswers
from project.asgi.guards.charset_guard import CharsetGuard
from project.asgi.guards.header_limit import HeaderLimit
from project.asgi.guards.socket_limit import install_under_uvicorn
from project.asgi.guards.stall_limit import StallLimit
from project.loading import collection_paused

with collection_paused():
    django.setup(set_prefix=False)
    from chat.web.chat import socket_routes  # models are ready only now
    from project import lifespan
    from project.asgi.handler import TwoPhaseHandler
    from project.config.databases import limit_statements

    import_module(settings.ROOT_URLCONF)  # the first request would do it

limit_statements(settings.DATABASES)

django_application = ASGIHandler() if settings.DJANGO_ASGI_HANDLER else TwoPhaseHandler()


async def http(scope: Scope, receive: ASGIReceiveCallable, send: Any) -> None:
    """Call Django without the path prefix, which Daphne accepts from any client's header."""
    await django_application({**scope, "root_path": ""}, receive, send)


#: What a form may have besides its file.
FORM_BYTES = 64 * 1024


def uploads() -> dict[str, int]:
    """Return the paths that take files, and their maximum body size in bytes."""
    takes_mail = bool(settings.INBOUND_MAIL_ADDRESS)
    return {
        reverse("import"): settings.MAX_IMPORT_BYTES + FORM_BYTES,
        reverse("document_reading"): settings.MAX_DOCUMENT_BYTES,
        reverse("add_documents"): settings.MAX_DOCUMENT_BYTES + FORM_BYTES,
        reverse("api_transcriptions"): settings.MAX_AUDIO_BYTES + FORM_BYTES,
        reverse("inbound_mail"): (
            settings.MAX_INBOUND_MAIL_BYTES if takes_mail else settings.MAX_BODY_BYTES
        ),
    }


def body_limits() -> BodyLimits:
    """Return the limits of the settings, and which paths take more."""
    return BodyLimits(
        max_bytes=settings.MAX_BODY_BYTES,
        total_bytes=settings.MAX_TOTAL_BODY_BYTES,
        idle_seconds=settings.BODY_IDLE_SECONDS,
        seconds=settings.BODY_SECONDS,
        uploads=uploads(),
        pages={reverse("import")},
    )


def guarded(app: Any) -> Any:
    """Return `app` behind all guards, the outermost last."""
    app = BodyGuard(app, body_limits())
    app = StallLimit(app, settings.SEND_TIMEOUT_SECONDS)
    app = CharsetGuard(app)
    app = BrokenAnswers(app)
    return HeaderLimit(app, settings.MAX_HEADER_BYTES)


application = ProtocolTypeRouter(
    {
        "http": guarded(http),
        "websocket": socket_routes.application,
        "lifespan": lifespan.application,
    }
)
if lifespan.is_under_uvicorn():
    install_under_uvicorn()
elif lifespan.is_under_daphne():
    lifespan.begin_under_daphne()
