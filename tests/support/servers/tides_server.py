"""Run the MCP server of `mcp_server.py`; the SDK, which takes seconds, is imported only then."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.servers.mcp_server import RunningServer
else:
    RunningServer = Any

#: One pixel.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c63000100"
    "000500010d0a2db40000000049454e44ae426082"
)


def mcp_server(**options: Any) -> AbstractContextManager[RunningServer]:
    from tests.support.servers import mcp_server as server

    return server.mcp_server(**options)
