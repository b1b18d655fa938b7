"""Run the MCP server of `mcp_server.py`; the SDK, which takes seconds, is imported only then."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.servers.mcp_server import RunningServer
else:
    RunningServer = Any


def mcp_server(**options: Any) -> AbstractContextManager[RunningServer]:
    from tests.support.servers import mcp_server as server

    return server.mcp_server(**options)
