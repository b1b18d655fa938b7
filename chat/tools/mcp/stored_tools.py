"""Store how a server describes its tools. One that has changed is off until it is looked at."""

import logging
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from chat.tools.mcp import secrets, servers
from chat.tools.mcp.listing import ListedTool, Listing, function_name
from chat.tools.mcp.models import McpServer, McpTool
from chat.tools.mcp.sign_in import grants

log = logging.getLogger(__name__)


@transaction.atomic
def store(server_id: int, listing: Listing) -> None:
    """Store a whole listing. A tool that is no longer listed stays, switched off."""
    server = McpServer.objects.select_for_update().filter(pk=server_id).first()
    if server is None:
        return
    rows = {each.name: each for each in server.tools.all()}
    functions = {each.function for each in rows.values()}
    for tool in listing.tools:
        row = rows.pop(tool.name, None)
        if row is not None:
            _describe(row, tool)
            continue
        function = function_name(server.slug, tool.name)
        if function not in functions:
            functions.add(function)
            _describe(McpTool(server=server, name=tool.name, function=function), tool)
    gone = [each.pk for each in rows.values()]
    McpTool.objects.filter(pk__in=gone).update(is_listed=False, is_enabled=False)
    McpServer.objects.filter(pk=server_id).update(listed_at=timezone.now())
    transaction.on_commit(servers.refresh)


@transaction.atomic
def switch_off(tool_id: int, listed: ListedTool | None) -> None:
    """Switch a tool off that its server now describes otherwise, or no longer lists."""
    row = McpTool.objects.select_for_update().filter(pk=tool_id).first()
    if row is None:
        return
    log.warning("the description of a tool of an MCP server has changed: %s", row.function)
    if listed is None:
        row.is_listed, row.is_enabled = False, False
        row.save(update_fields=["is_listed", "is_enabled"])
    else:
        _describe(row, listed)
    transaction.on_commit(servers.refresh)


def switch(row: McpTool, *, is_enabled: bool, asks_first: bool, digest: str) -> str:
    """Switch a tool as an administrator wants who has seen the description with this digest.

    Return what has changed, in words for the record; empty if nothing has.
    """
    was = _state(row)
    is_seen = digest == row.digest and row.is_listed
    row.is_enabled, row.asks_first = is_enabled and is_seen, asks_first
    if row.is_enabled:
        row.seen_digest, row.seen_description = row.digest, row.description
        row.seen_schema = row.schema
    row.save()
    return "" if _state(row) == was else f"{row.name} {_state(row)}"


def has_changed(row: McpTool) -> bool:
    """Return whether a tool that was on once is described otherwise since."""
    return bool(row.seen_digest) and row.seen_digest != row.digest


@transaction.atomic
def reencrypt() -> int:
    """Encrypt all headers and sign-ins under the current SECRET_KEY; return how many changed.

    Raise `Unreadable` if no known key decrypts some.
    """
    changed = grants.reencrypt()
    for server in McpServer.objects.select_for_update():
        if (secret := secrets.renewed(server.secret)) != server.secret:
            McpServer.objects.filter(pk=server.pk).update(secret=secret)
            changed += 1
    return changed


def _describe(row: McpTool, tool: ListedTool) -> None:
    if row.pk and row.is_listed and row.digest == tool.digest:
        return
    row.description, row.schema, row.digest = tool.description, _plain(tool.schema), tool.digest
    row.says_read_only, row.is_listed = tool.says_read_only, True
    if row.digest != row.seen_digest:
        row.is_enabled = False
    row.save()


def _plain(schema: Mapping[str, object]) -> dict[str, object]:
    return dict(schema)


def _state(row: McpTool) -> str:
    if not row.is_enabled:
        return "off"
    return "on, asks first" if row.asks_first else "on, asks nobody"
