"""A program that is an MCP server by the official SDK: `python -m tests.support.servers.mcp_program`."""

import os
import sys
import time
from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("files")
calls = 0


@server.tool()
def high_tide(place: str) -> str:
    """Tell when the next high tide is at a place."""
    global calls
    calls += 1
    return f"High tide at {place} at 14:05. Call {calls} of process {os.getpid()}."


@server.tool()
def environment() -> dict[str, str]:
    """Return all variables of the environment."""
    return dict(os.environ)


@server.tool()
def sleep() -> str:
    """Take longer than anybody waits."""
    time.sleep(3600)
    return "Awake."


@server.tool()
def use_memory() -> str:
    """Use more memory than there is."""
    return str(len(bytearray(4 * 1024**3)))


@server.tool()
def have_a_child(path: str) -> str:
    """Start a process that outlives this one, and write its id to a file."""
    child = os.fork()
    if not child:
        os.close(1)
        time.sleep(3600)
    Path(path).write_text(str(child))
    return "Started."


if __name__ == "__main__":
    if "--noise" in sys.argv:
        print("Welcome!", file=sys.stderr)
    server.run("stdio")
