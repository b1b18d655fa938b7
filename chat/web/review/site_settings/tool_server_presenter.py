"""Put the tools of an MCP server, and what is wrong with one, into words."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from chat.lib.indented_json import indented
from chat.tools.mcp import stored_tools
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.models import McpServer, McpTool
from chat.tools.mcp.servers import is_signed_in
from chat.tools.mcp.sign_in import grants


@dataclass(frozen=True, slots=True)
class McpToolOut:
    """A tool as the page shows it; `before` is what was there when it was switched on."""

    id: int
    name: str
    description: str
    schema: str
    digest: str
    is_enabled: bool
    asks_first: bool
    says_read_only: bool
    is_gone: bool
    has_changed: bool
    description_before: str
    schema_before: str


def shown_tool(row: McpTool) -> McpToolOut:
    has_changed = row.is_listed and stored_tools.has_changed(row)
    return McpToolOut(
        id=row.pk,
        name=row.name,
        description=row.description,
        schema=_json(row.schema),
        digest=row.digest,
        is_enabled=row.is_enabled,
        asks_first=row.asks_first,
        says_read_only=row.says_read_only,
        is_gone=not row.is_listed,
        has_changed=has_changed,
        description_before=row.seen_description if has_changed else "",
        schema_before=_json(row.seen_schema) if has_changed else "",
    )


@dataclass(frozen=True, slots=True)
class SignInOut:
    """A sign-in as the page shows it."""

    return_address: str
    since: datetime | None = None
    has_ended: bool = False


def shown_sign_in(server: McpServer) -> SignInOut:
    if not is_signed_in(server):
        return SignInOut(return_address())
    grant = grants.grant_in(server.sign_in.grant)
    has_ended = not (grant and grant.access_token)
    return SignInOut(return_address(), server.sign_in.signed_in_at, has_ended)


def return_address() -> str:
    """Return where authorization servers send the administrator back to."""
    return f"{settings.SITE_URL}{reverse('review_tool_server_signed_in')}"


def error_words(error: McpError, *, is_signed_in: bool = False, is_program: bool = False) -> str:
    """Return what is wrong, and what to do, in the words of somebody who can change it."""
    match error.reason:
        case "refused_address":
            return _(
                "This site isn't allowed to connect to this address because it leads to a private "
                "network. To allow it, set PRIVATE_PROVIDERS=yes."
            )
        case "no_program":
            return _("The site's environment has no program with this name (TOOL_PROGRAMS).")
        case "unreachable" if is_program:
            return _("The program doesn't start, or isn't an MCP server.")
        case "unreachable":
            return _("The server can't be reached. Check the address.")
        case "timeout":
            return _("The server didn't answer in time.")
        case "redirect":
            words = _(
                "The server redirects to another address. Enter it here if you trust it: {url}"
            )
            return words.format(url=error.detail)
        case "unauthorized" if is_signed_in:
            return _("The server no longer accepts the sign-in. Sign in again.")
        case "no_sign_in":
            return _("The server doesn't say how to sign in, or says it wrongly. Use a token.")
        case "no_pkce":
            return _("The server's sign-in doesn't support PKCE, so it isn't safe. Use a token.")
        case "no_client":
            return _(
                "The server's sign-in doesn't know this site. Register it there with the return "
                "address below, and enter the client ID."
            )
        case "sign_in":
            return _("The sign-in was refused: {reason}").format(reason=error.detail or "–")
        case "unauthorized":
            return _("The server rejected the token. Check it and the other headers, or sign in.")
        case "status":
            words = _("The server answered with the error {status}. Check the address.")
            return words.format(status=error.detail)
        case "too_long":
            return _("The server's answer is too long.")
        case "flood":
            return _("The server sent too many messages.")
        case "closed":
            return _("The server closed the connection before it had answered.")
        case "version":
            words = _("The server speaks version {version} of the protocol, which isn't supported.")
            return words.format(version=error.detail)
        case "asks":
            return _("The server asks for something first, which this site can't give it.")
        case "error":
            return _("The server refused: {reason}").format(reason=error.detail)
        case _:
            return _("This isn't an MCP server with streamable HTTP. Check the address.")


def _json(schema: Any) -> str:
    return indented(schema, 1)
