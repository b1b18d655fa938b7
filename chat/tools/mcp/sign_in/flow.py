"""Sign in to a server: send the administrator to who signs people in, and take what comes back."""

import asyncio
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from urllib.parse import urlencode

from msgspec import structs

from chat.tools.mcp.errors import McpError
from chat.tools.mcp.protocol import shown_detail
from chat.tools.mcp.sign_in import token_requests
from chat.tools.mcp.sign_in.grants import Grant, OAuthClient, Pending
from chat.tools.mcp.sign_in.metadata import PKCE, AuthorizationServer, discover
from chat.tools.mcp.sign_in.requests import Requests

#: Of all requests that a sign-in takes before the administrator leaves, and after.
BEGIN_SECONDS = 30.0
FINISH_SECONDS = 20.0
MAX_CODE_CHARS = 4000


async def begin(
    address: str,
    client: OAuthClient | None,
    *,
    site_name: str,
    return_address: str,
    reason: str,
) -> tuple[Pending, str]:
    """Return a sign-in that has begun, and the address where the administrator signs in.

    Without a `client`, this site is registered as one. Raise `McpError`.
    """
    try:
        async with asyncio.timeout(BEGIN_SECONDS):
            requests = await Requests.of(address)
            found = await discover(address, requests)
            client = await _client_of(found.server, client, site_name, return_address, requests)
    except TimeoutError as error:
        raise McpError("timeout") from error
    pending = Pending(
        state=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(64),
        issuer=found.server.issuer,
        needs_issuer=found.server.authorization_response_iss_parameter_supported,
        reason=reason,
        grant=Grant(client, found.server.token_endpoint, found.resource),
    )
    return pending, _authorization_address(found.server, pending, found.scope, return_address)


async def finish(
    address: str, pending: Pending, answer: Mapping[str, str], return_address: str
) -> Grant:
    """Return the grant for what the authorization server answered. Raise `McpError`."""
    if not compare_digest(answer.get("state", "").encode(), pending.state.encode()):
        raise McpError("sign_in", "state")
    issuer = answer.get("iss")
    if issuer != pending.issuer and (issuer is not None or pending.needs_issuer):
        raise McpError("sign_in", "iss")  # RFC 9207: another server than the one that was asked
    code = answer.get("code", "")
    if not 0 < len(code) <= MAX_CODE_CHARS:
        words = answer.get("error_description") or answer.get("error", "")
        raise McpError("sign_in", shown_detail(words))
    try:
        async with asyncio.timeout(FINISH_SECONDS):
            requests = await Requests.of(address)
            return await token_requests.exchanged(
                pending.grant, code, pending.verifier, return_address, requests
            )
    except TimeoutError as error:
        raise McpError("timeout") from error


async def _client_of(
    server: AuthorizationServer,
    entered: OAuthClient | None,
    site_name: str,
    return_address: str,
    requests: Requests,
) -> OAuthClient:
    if entered is None:
        return await token_requests.register(server, site_name, return_address, requests)
    if entered.issuer and entered.issuer != server.issuer:
        raise McpError("no_client")
    method = token_requests.method_of(server, has_secret=bool(entered.secret))
    return structs.replace(entered, method=method, issuer=server.issuer)


def _authorization_address(
    server: AuthorizationServer, pending: Pending, scope: str, return_address: str
) -> str:
    digest = sha256(pending.verifier.encode()).digest()
    values = {
        "response_type": "code",
        "client_id": pending.grant.client.client_id,
        "redirect_uri": return_address,
        "state": pending.state,
        "code_challenge": urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": PKCE,
        "resource": pending.grant.resource,
    }
    if scope:
        values["scope"] = scope
    mark = "&" if "?" in server.authorization_endpoint else "?"
    return f"{server.authorization_endpoint}{mark}{urlencode(values)}"
