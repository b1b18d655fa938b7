"""Ask an authorization server for tokens, and register this site with one."""

from base64 import b64encode
from collections.abc import Mapping
from time import time
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct, structs

from chat.fetching.fetch import Fetched
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.protocol import shown_detail
from chat.tools.mcp.sign_in.grants import Grant, OAuthClient, Secret
from chat.tools.mcp.sign_in.metadata import AuthorizationServer
from chat.tools.mcp.sign_in.requests import JSON, Requests, decoded

FORM = "application/x-www-form-urlencoded"
#: The safest first; the first that the authorization server supports is used.
METHODS = ("client_secret_post", "client_secret_basic", "none")
MAX_TOKEN_CHARS = 8000
MAX_CLIENT_CHARS = 1000


class TokenAnswer(Secret):
    access_token: str
    token_type: str
    expires_in: float | None = None
    refresh_token: str = ""


class TokenRefusal(Struct):
    error: str = ""
    error_description: str = ""


class Registered(Secret):
    client_id: str
    client_secret: str | None = None
    token_endpoint_auth_method: str | None = None


def method_of(server: AuthorizationServer, *, has_secret: bool) -> str:
    """Return how this site says who it is."""
    if not has_secret:
        return "none"
    return next((each for each in METHODS[:2] if each in server.methods), METHODS[1])


async def register(
    server: AuthorizationServer, name: str, return_address: str, requests: Requests
) -> OAuthClient:
    """Register this site. Raise `McpError` if the server wants a person to do that."""
    if not server.registration_endpoint:
        raise McpError("no_client")
    method = next((each for each in METHODS if each in server.methods), "none")
    wanted = {
        "client_name": name,
        "redirect_uris": [return_address],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
    }
    answer = await requests.post(server.registration_endpoint, JSON, msgspec.json.encode(wanted))
    if answer.status not in {200, 201}:
        raise McpError("no_client", _words(answer))
    found = decoded(answer, Registered)
    method = found.token_endpoint_auth_method or method
    secret = found.client_secret or ""
    is_short = 0 < len(found.client_id) <= MAX_CLIENT_CHARS >= len(secret)
    if not is_short or method not in METHODS or (method != "none" and not secret):
        raise McpError("no_client")
    return OAuthClient(found.client_id, secret, method)


async def exchanged(
    grant: Grant, code: str, verifier: str, return_address: str, requests: Requests
) -> Grant:
    """Return the grant with tokens for the code of somebody who has signed in."""
    values = {
        "grant_type": "authorization_code",
        "code": code,
        "code_verifier": verifier,
        "redirect_uri": return_address,
    }
    return await _granted(grant, values, requests)


async def refreshed(grant: Grant, requests: Requests) -> Grant:
    """Return the grant with new tokens. Raise `McpError("sign_in")` if somebody has to sign in."""
    values = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
    return await _granted(grant, values, requests)


async def _granted(grant: Grant, values: Mapping[str, str], requests: Requests) -> Grant:
    form, headers = _with_client(grant.client, {**values, "resource": grant.resource})
    body = urlencode(form).encode()
    answer = await requests.post(grant.token_endpoint, FORM, body, headers)
    if 400 <= answer.status < 500 and answer.status not in {408, 429}:
        raise McpError("sign_in", _words(answer))
    if answer.status != 200:
        raise McpError("status", str(answer.status))
    found = decoded(answer, TokenAnswer)
    if found.token_type.lower() != "bearer" or not _is_token(found.access_token):
        raise McpError("garbage")
    if found.refresh_token and not _is_token(found.refresh_token):
        raise McpError("garbage")
    return structs.replace(
        grant,
        access_token=found.access_token,
        refresh_token=found.refresh_token or grant.refresh_token,
        ends_at=time() + max(0.0, found.expires_in) if found.expires_in is not None else None,
    )


def _with_client(
    client: OAuthClient, form: dict[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the form and headers of a request that says who this site is: RFC 6749, 2.3.1."""
    if client.method == "client_secret_basic":
        pair = f"{quote(client.client_id, safe='')}:{quote(client.secret, safe='')}"
        return form, {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
    form["client_id"] = client.client_id
    if client.method == "client_secret_post":
        form["client_secret"] = client.secret
    return form, {}


def _is_token(text: str) -> bool:
    """Return whether this can be part of a header."""
    return 0 < len(text) <= MAX_TOKEN_CHARS and text.isascii() and text.isprintable()


def _words(answer: Fetched) -> str:
    """Return why a server refused, in its own words. They have no token of ours."""
    try:
        refusal = decoded(answer, TokenRefusal)
    except McpError:
        return str(answer.status)
    words = refusal.error_description or refusal.error or str(answer.status)
    return shown_detail(words)
