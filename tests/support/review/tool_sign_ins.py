"""Sign in to MCP servers as an administrator does: in our page, in theirs, and back in ours."""

import html
import re
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.test import Client

SIGNED_IN = "/review/site/tools/signed-in/"


def begun(client: Client, page: str, **more: Any) -> str:
    """Begin to sign in; return the address that our page leads to."""
    response = client.post(f"{page}sign-in/", more)
    assert response.status_code == 200, response.content.decode()
    found = re.search(r'class="button main" href="([^"]+)"', response.content.decode())
    assert found, response.content.decode()
    return html.unescape(found[1])


def returned(address: str) -> str:
    """Sign in at the authorization server; return where it sends the browser to, without host."""
    response = httpx.get(address, follow_redirects=False)
    assert response.status_code == 302, response.text
    parts = urlsplit(response.headers["Location"])
    assert parts.path == SIGNED_IN
    return f"{parts.path}?{parts.query}"


def sign_in(client: Client, page: str, **more: Any) -> str:
    """Sign in; return the page with its message."""
    response = client.get(returned(begun(client, page, **more)), follow=True)
    assert response.status_code == 200
    return response.content.decode()
