"""Put the tools of an MCP server, and what is wrong with one, into words."""

import json
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from chat.tools.mcp import stored_tools
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.models import McpTool


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


def error_words(error: McpError) -> str:
    """Return what is wrong, and what to do, in the words of somebody who can change it."""
    match error.reason:
        case "refused_address":
            return _(
                "This site isn't allowed to connect to this address because it leads to a private "
                "network. To allow it, set PRIVATE_PROVIDERS=yes."
            )
        case "unreachable":
            return _("The server can't be reached. Check the address.")
        case "timeout":
            return _("The server didn't answer in time.")
        case "redirect":
            words = _(
                "The server redirects to another address. Enter it here if you trust it: {url}"
            )
            return words.format(url=error.detail)
        case "unauthorized":
            return _("The server rejected the token. Check it, or the other headers.")
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
        case "error":
            return _("The server refused: {reason}").format(reason=error.detail)
        case _:
            return _("This isn't an MCP server with streamable HTTP. Check the address.")


def _json(schema: Any) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False)
