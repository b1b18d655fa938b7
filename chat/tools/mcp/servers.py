"""Know which tools of MCP servers there are, without reading them for each answer.

They are read again if the version of the configuration has changed, by every process every two
seconds (`background_jobs`), like the settings of the site. A call reads its own tool anew.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db.models import Q

from chat.database.config_version import VersionedValue
from chat.quotas import rules as quota_rules
from chat.tools.mcp import secrets
from chat.tools.mcp.client import Endpoint
from chat.tools.mcp.models import McpServer, McpTool
from chat.tools.mcp.sign_in.tokens import RenewedTokens

MAX_SERVERS = 20
#: How a list of tools names all tools of a server, which people switch on together.
PREFIX = "mcp:"
IDENTITY_DIGEST_CHARS = 32


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool that an administrator has switched on, as models read it."""

    id: int
    name: str
    function: str
    description: str
    schema: Mapping[str, object]
    asks_first: bool
    digest: str

    @property
    def identity(self) -> str:
        """Return which tool this is, as it is described now.

        The number of its row is never used again, and the rows go if the server's address changes.
        """
        return f"{PREFIX}{self.id}:{self.digest[:IDENTITY_DIGEST_CHARS]}"


@dataclass(frozen=True, slots=True)
class KnownServer:
    """A server with its tools, for all members or those of its groups."""

    slug: str
    name: str
    for_everybody: bool
    groups: frozenset[int]
    tools: tuple[KnownTool, ...]

    @property
    def choice(self) -> str:
        return PREFIX + self.slug


@dataclass(frozen=True, slots=True)
class CallableTool:
    """A tool that may be called now, and where."""

    name: str
    server_name: str
    digest: str
    endpoint: Endpoint


def known() -> tuple[KnownServer, ...]:
    """Return the servers as last read; before the first time, none."""
    return _servers.last() or ()


def for_member(user_id: int) -> list[KnownServer]:
    """Return the servers whose tools the member may use."""
    servers = known()
    if all(each.for_everybody for each in servers):
        return list(servers)
    groups = set(quota_rules.current().groups_of(user_id))
    return [each for each in servers if each.for_everybody or each.groups & groups]


def named(functions: Iterable[str]) -> dict[str, tuple[KnownServer, KnownTool]]:
    """Return the tools with these names for models."""
    wanted = set(functions)
    return {
        tool.function: (server, tool)
        for server in known()
        for tool in server.tools
        if tool.function in wanted
    }


def title_of(name: str) -> str:
    """Return what people call a server or a tool of one; empty if there is none such.

    A tool goes by its name for models, or its identity.
    """
    for server in known():
        if server.choice == name:
            return server.name
        for tool in server.tools:
            if name in {tool.function, tool.identity}:
                return f"{server.name}: {tool.name}"
    return ""


def with_permission(permissions: Iterable[str], added: str) -> list[str]:
    """Add a permission for a tool to others. It replaces that for an earlier description."""
    tool, has_digest, _ = added.rpartition(":")
    kept = {each for each in permissions if not has_digest or each.rpartition(":")[0] != tool}
    return sorted({*kept, added})


def callable_tool(tool_id: int, user_id: int) -> CallableTool | None:
    """Return a tool if it is switched on, and the member may use it, as it is stored now."""
    mine = Group.objects.filter(user=user_id)
    is_for_them = Q(server__for_everybody=True) | Q(server__groups__in=mine)
    found = McpTool.objects.select_related("server__sign_in").filter(
        is_for_them, pk=tool_id, is_enabled=True, server__is_enabled=True
    )
    tool = found.first()
    if tool is None:
        return None
    endpoint = endpoint_of(tool.server)
    return CallableTool(tool.name, tool.server.name, tool.seen_digest, endpoint)


def endpoint_of(server: McpServer) -> Endpoint:
    tokens = RenewedTokens(server.pk, server.address) if is_signed_in(server) else None
    return Endpoint(server.address, secrets.headers_in(server.secret), tokens)


def is_signed_in(server: McpServer) -> bool:
    """Return whether there was a sign-in to the server, which may have ended."""
    return bool(hasattr(server, "sign_in") and server.sign_in.grant)


def _read() -> tuple[KnownServer, ...]:
    servers = McpServer.objects.filter(is_enabled=True).prefetch_related("groups", "tools")
    read = (
        KnownServer(
            each.slug,
            each.name,
            each.for_everybody,
            frozenset(group.pk for group in each.groups.all()),
            tuple(
                KnownTool(
                    tool.pk,
                    tool.name,
                    tool.function,
                    tool.description,
                    tool.schema,
                    tool.asks_first,
                    tool.seen_digest,
                )
                for tool in each.tools.all()
                if tool.is_enabled
            ),
        )
        for each in servers
    )
    return tuple(each for each in read if each.tools)


_servers = VersionedValue(_read)
refresh = _servers.refresh
forget = _servers.forget
