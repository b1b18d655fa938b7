"""Connect MCP servers, and switch their tools: each change is recorded.

The record has neither the token nor any other header, only whether there are any.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from chat.errors import NotFound
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.tools.mcp import secrets, servers, stored_tools
from chat.tools.mcp.models import SLUG_LENGTH, McpServer, McpSignIn, McpTool
from chat.tools.mcp.sign_in import grants
from chat.tools.mcp.sign_in.grants import Grant

MAX_SERVERS = servers.MAX_SERVERS


@dataclass(frozen=True, slots=True)
class ServerValues:
    """What an administrator enters. `headers` is None to keep those that are stored."""

    name: str
    address: str
    is_enabled: bool
    groups: Collection[Group]
    headers: Mapping[str, str] | None = field(default=None, repr=False)


def all_servers() -> list[McpServer]:
    return list(McpServer.objects.prefetch_related("tools", "groups"))


def server_of(server_id: int) -> McpServer:
    """Return a server; raise `NotFound`."""
    server = McpServer.objects.filter(pk=server_id).first()
    if server is None:
        raise NotFound
    return server


def tools_of(server: McpServer) -> list[McpTool]:
    """Return the tools that the server lists now, and those that were on once."""
    return [each for each in server.tools.all() if each.is_listed or each.seen_digest]


@transaction.atomic
def save(staff_context: StaffContext, server: McpServer | None, values: ServerValues) -> McpServer:
    """Store a new server, or the changes of one. At another address, all of its tools are off."""
    if server is None:
        before = ""
        server = McpServer(slug=_free_slug(values.name))
    else:
        server = McpServer.objects.select_for_update().get(pk=server.pk)
        before = f"{_words(server)} → "
        if server.address != values.address:
            server.tools.all().delete()
            McpSignIn.objects.filter(server=server).delete()
            server.secret, server.listed_at = "", None
    server.name, server.address = values.name, values.address
    server.is_enabled, server.updated_at = values.is_enabled, timezone.now()
    server.for_everybody = not values.groups
    if values.headers is not None:
        server.secret = secrets.sealed(values.headers)
    if values.headers and "Authorization" in values.headers and server.pk:
        McpSignIn.objects.filter(server=server).delete()  # the token replaces it
    server.save()
    server.groups.set(values.groups)
    is_new = ", new headers" if values.headers else ""
    _record(staff_context, f"{before}{_words(server)}{is_new}")
    return server


@transaction.atomic
def switch_tools(
    staff_context: StaffContext,
    server: McpServer,
    enabled: Collection[int],
    asking: Collection[int],
    digests: Mapping[int, str],
) -> bool:
    """Switch tools by their ids. Return whether one has changed since the page showed it.

    `digests` are those of the descriptions that the administrator has seen.
    """
    changes, has_changed = [], False
    for row in McpTool.objects.select_for_update().filter(server=server):
        if row.pk not in digests:
            continue
        wanted = row.pk in enabled
        change = stored_tools.switch(
            row, is_enabled=wanted, asks_first=row.pk in asking, digest=digests[row.pk]
        )
        has_changed = has_changed or wanted != row.is_enabled
        if change:
            changes.append(change)
    if changes:
        _record(staff_context, f"{server.name}: {'; '.join(changes)}")
    transaction.on_commit(servers.refresh)
    return has_changed


@transaction.atomic
def signed_in(staff_context: StaffContext, server: McpServer, grant: Grant) -> None:
    """Store a sign-in to a server, which replaces an earlier one."""
    grants.store(server.pk, grant)
    _record(staff_context, f"{server.name} {server.address} signed in")


@transaction.atomic
def sign_out(staff_context: StaffContext, server: McpServer) -> None:
    """Forget the sign-in to a server."""
    McpSignIn.objects.filter(server=server).delete()
    _record(staff_context, f"{server.name} {server.address} signed out")


@transaction.atomic
def remove(staff_context: StaffContext, server: McpServer) -> None:
    """Remove a server with its tools, its token and its other headers."""
    words = _words(server)
    server.delete()
    _record(staff_context, f"{words} → –")


def _free_slug(name: str) -> str:
    """Return a name for the names of the tools that no other server has."""
    wanted = slugify(name).replace("_", "-").strip("-")[:SLUG_LENGTH].rstrip("-") or "server"
    taken = set(McpServer.objects.values_list("slug", flat=True))
    number, slug = 1, wanted
    while slug in taken:
        number += 1
        end = f"-{number}"
        slug = wanted[: SLUG_LENGTH - len(end)] + end
    return slug


def _words(server: McpServer) -> str:
    state = "on" if server.is_enabled else "off"
    groups = ", ".join(server.groups.values_list("name", flat=True)) if server.pk else ""
    return f"{server.name} {server.address} {state}{f' for {groups}' if groups else ''}"


def _record(staff_context: StaffContext, detail: str) -> None:
    record_action(staff_context, StaffAction.Kind.SITE_CHANGED, detail=f"MCP server: {detail}")
    transaction.on_commit(servers.refresh)
