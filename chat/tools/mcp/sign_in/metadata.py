"""Find out who signs people in to a server, and where: RFC 9728, and RFC 8414 or OpenID Connect."""

import re
from urllib.parse import urlsplit

from msgspec import Struct

from chat.fetching.fetch import Fetched
from chat.tools.mcp import protocol
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.sign_in.requests import JSON, Requests, decoded

RESOURCE = "/.well-known/oauth-protected-resource"
SERVER = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"
MAX_CHALLENGE_CHARS = 4000
MAX_SCOPES = 40
PKCE = "S256"
_CHALLENGE = re.compile(r'\b(resource_metadata|scope)="([^"\\]{0,2000})"')
_SCOPE = re.compile(r"[!#-\[\]-~]{1,200}")  # RFC 6749


class ResourceMetadata(Struct):
    """What a server says about itself."""

    resource: str
    authorization_servers: list[str] | None = None
    scopes_supported: list[str] | None = None


class AuthorizationServer(Struct):
    """Who signs people in, and issues tokens."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str | None = None
    scopes_supported: list[str] | None = None
    code_challenge_methods_supported: list[str] | None = None
    token_endpoint_auth_methods_supported: list[str] | None = None
    authorization_response_iss_parameter_supported: bool = False

    @property
    def methods(self) -> list[str]:
        """Return how it lets a client say who it is; the default is RFC 8414's."""
        return self.token_endpoint_auth_methods_supported or ["client_secret_basic"]


class Discovery(Struct):
    """All that is needed to sign in. `resource` is what tokens are for, RFC 8707."""

    server: AuthorizationServer
    resource: str
    scope: str


async def discover(address: str, requests: Requests) -> Discovery:
    """Ask a server, and the one that it names, how to sign in. Raise `McpError`."""
    challenge = await _challenge(address, requests)
    described = await _resource(address, challenge.get("resource_metadata", ""), requests)
    resource = described.resource if described else address
    issuers = (described and described.authorization_servers) or [_origin(address)]
    # Without a description, by version 2025-03-26 the server itself signs people in.
    server = await _authorization_server(issuers[0], requests)
    scopes = challenge.get("scope", "").split()
    scopes = scopes or (described and described.scopes_supported) or []
    if scopes and "offline_access" in (server.scopes_supported or ()):
        scopes = [*scopes, "offline_access"]
    return Discovery(server, resource, _scope(scopes))


async def _challenge(address: str, requests: Requests) -> dict[str, str]:
    """Return what the server says to somebody who hasn't signed in."""
    hello = protocol.request(1, "initialize", protocol.introduction())
    accept = {"Accept": "application/json, text/event-stream"}
    answer = await requests.post(address, JSON, hello, accept)
    return challenge_in(answer.value("www-authenticate")) if answer.status == 401 else {}


def challenge_in(header: str) -> dict[str, str]:
    """Return what matters in a `WWW-Authenticate`: RFC 6750 and RFC 9728."""
    return dict(_CHALLENGE.findall(header[:MAX_CHALLENGE_CHARS]))


async def _resource(address: str, named: str, requests: Requests) -> ResourceMetadata | None:
    """Return the server's description of itself; None if it has none."""
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    known = [f"{_origin(address)}{RESOURCE}{path}", f"{_origin(address)}{RESOURCE}"]
    for url in dict.fromkeys([named, *known] if named else known):
        answer = await requests.get(url)
        if answer.status != 200:
            continue
        described = decoded(answer, ResourceMetadata)
        if not _is_of(described.resource, address):
            raise McpError("no_sign_in")
        return described
    return None


async def _authorization_server(issuer: str, requests: Requests) -> AuthorizationServer:
    if not requests.is_allowed(issuer):
        raise McpError("refused_address")
    origin, path = _origin(issuer), urlsplit(issuer).path.rstrip("/")
    urls = [f"{origin}{SERVER}{path}", f"{origin}{OPENID}{path}", f"{origin}{path}{OPENID}"]
    for url in dict.fromkeys(urls):
        answer = await requests.get(url)
        if answer.status == 200:
            return _checked(answer, issuer, requests)
    raise McpError("no_sign_in")


def _checked(answer: Fetched, issuer: str, requests: Requests) -> AuthorizationServer:
    server = decoded(answer, AuthorizationServer)
    if server.issuer.rstrip("/") != issuer.rstrip("/"):
        raise McpError("no_sign_in")
    if PKCE not in (server.code_challenge_methods_supported or ()):
        raise McpError("no_pkce")
    endpoints = [server.authorization_endpoint, server.token_endpoint]
    if not all(map(requests.is_allowed, endpoints)):
        raise McpError("refused_address")
    return server


def _is_of(resource: str, address: str) -> bool:
    """Return whether a token for this resource is one for the server: its address, or above it."""
    above = resource.rstrip("/")
    return address == above or (
        address.startswith(f"{above}/") and _origin(above) == _origin(address)
    )


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _scope(scopes: list[str]) -> str:
    known = dict.fromkeys(each for each in scopes if _SCOPE.fullmatch(each))
    return " ".join(list(known)[:MAX_SCOPES])
