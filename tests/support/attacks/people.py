"""Be people with browsers and programs at a running site, honest ones and attackers."""

import uuid
from typing import Any

import httpx

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.server import Server

#: Any value counts as a CSRF token if the cookie has the same.
CSRF = "Aa0" * 10 + "Zz"
PASSWORD = "a quiet reading room"
MODEL = "@cf/meta/llama-3.2-1b-instruct"
#: The hash of the password is computed once, for speed; signing in works as usual.
MAKE_MEMBER = """
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from chat.accounts.models import User
password = PBKDF2PasswordHasher().encode({password!r}, "salt", iterations=1)
member = User(email={email!r}, password=password, **{fields!r})
member.save()
EmailAddress.objects.create(user=member, email=member.email, primary=True, verified={verified!r})
client = Client()
client.force_login(member)
print(member.pk, client.cookies["sessionid"].value)
"""
MAKE_KEY = """
from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
print(keys.create(User.objects.get(pk={user_id}), KeyOptions("Program"))[1])
"""
MAKE_SITE = """
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
owner = User.objects.get(pk={user_id})
print(WidgetSite.objects.create(owner=owner, **{{"name": "Shop"}} | {fields!r}).key)
"""
TIMEOUT_SECONDS = 100
#: Closed by `close_all`, because people stay for all tests of a module or package. By port.
_clients: dict[int, list[httpx.Client]] = {}


class Person:
    """A browser with a session, which sends what the site's own pages would send."""

    def __init__(self, server: Server, user_id: int, session: str) -> None:
        self.server, self.user_id, self.session = server, user_id, session
        self.client = browser(server)
        self.client.cookies.set("sessionid", session)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(path, headers=headers)

    def form(self, path: str, data: Any = None, **options: Any) -> httpx.Response:
        return self.client.post(path, data=data or {}, **_with(options, {"X-CSRFToken": CSRF}))

    def json(self, path: str, body: Any, **options: Any) -> httpx.Response:
        headers = {"X-CSRFToken": CSRF, "Accept": "application/json"}
        return self.client.post(path, json=body, **_with(options, headers))

    def send(self, text: str = "Hello", chat: str = "", **fields: Any) -> httpx.Response:
        """Send a message, and read the whole answer."""
        path = f"/chat/{chat}/messages" if chat else "/chat/messages"
        return self.json(path, {"key": uuid.uuid4().hex, "text": text, **fields})

    def make_key(self) -> str:
        """Return the text of a new API key."""
        return self.server.run(MAKE_KEY.format(user_id=self.user_id))

    def make_site(self, **fields: Any) -> str:
        """Return the key of a new widget site."""
        return self.server.run(MAKE_SITE.format(user_id=self.user_id, fields=fields))


class Vera:
    """A visitor of a website, with the bearer token of its frame."""

    def __init__(self, server: Server, site_key: str) -> None:
        self.client, self.site_key = browser(server), site_key
        self.client.cookies.delete("csrftoken")
        came = self.client.post(f"/w/{site_key}/session", headers=SAME_ORIGIN)
        assert came.status_code == 200, came.text
        self.bearer: str = came.json()["token"]
        self.client.headers["Authorization"] = f"Bearer {self.bearer}"

    def get(self, path: str) -> httpx.Response:
        return self.client.get(f"/w/{self.site_key}/{path}")

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.client.post(f"/w/{self.site_key}/{path}", json=body or {})

    def send(self, text: str = "Hello", chat: str = "", **fields: Any) -> httpx.Response:
        path = f"{chat}/messages" if chat else "messages"
        return self.post(path, {"key": uuid.uuid4().hex, "text": text, **fields})


def browser(server: Server) -> httpx.Client:
    """Return a browser without an account, which has a CSRF cookie and follows no redirect."""
    client = httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS, trust_env=False)
    client.cookies.set("csrftoken", CSRF)
    _clients.setdefault(server.port, []).append(client)
    return client


def program(server: Server, key: str) -> httpx.Client:
    """Return a client of the API."""
    headers = {"Authorization": f"Bearer {key}"}
    client = httpx.Client(
        base_url=server.url, headers=headers, timeout=TIMEOUT_SECONDS, trust_env=False
    )
    _clients.setdefault(server.port, []).append(client)
    return client


def close_all(server: Server) -> None:
    """Close the connections of everybody on this server."""
    for client in _clients.pop(server.port, []):
        client.close()


def person(server: Server, email: str, *, verified: bool = True, **fields: Any) -> Person:
    """Create an account with `PASSWORD`, and return a browser that is signed in."""
    made = MAKE_MEMBER.format(email=email, password=PASSWORD, fields=fields, verified=verified)
    user_id, session = server.run(made).split()
    return Person(server, int(user_id), session)


def _with(options: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
    return {**options, "headers": headers | options.get("headers", {})}
