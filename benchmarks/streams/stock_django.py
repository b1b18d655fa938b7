"""What one would write first: Django as `startproject` makes it, and a view that relays with httpx.

Sessions in SQLite, CSRF, sign-in, nothing stored. The whole project is this module: run as a
program it makes the database and prints a session's key; a server loads `application`.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import django
import httpx
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import path

FOLDER = Path(os.environ.get("FOLDER", "."))
MODEL = f"{os.environ.get('UPSTREAM', '')}/accounts/a/ai/run/@cf/meta/llama"

settings.configure(
    SECRET_KEY="of a benchmark, on a loopback address",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "stock.sqlite3"}
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
)
django.setup()

from django.core.asgi import get_asgi_application  # noqa: E402

client = httpx.AsyncClient(
    timeout=60,
    trust_env=False,
    limits=httpx.Limits(max_connections=None, max_keepalive_connections=1024),
)


async def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")


async def relay(request: HttpRequest) -> HttpResponseBase:
    user = await request.auser()
    if not user.is_authenticated:
        return HttpResponse(status=403)

    async def chunks() -> AsyncIterator[bytes]:
        async with client.stream("POST", MODEL, content=request.body) as answer:
            async for chunk in answer.aiter_raw():
                yield chunk

    return StreamingHttpResponse(chunks(), content_type="text/event-stream")


urlpatterns = [path("healthz", alive), path("relay", relay)]
application = get_asgi_application()


def prepare() -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    user = User.objects.create_user("alice")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    print(prepare())
