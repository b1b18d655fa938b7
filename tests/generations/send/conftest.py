from collections.abc import Iterator

import pytest

from tests.support.servers.tides_server import RunningServer, mcp_server


@pytest.fixture
def tides(transactional_db: None) -> Iterator[RunningServer]:
    """Run an MCP server."""
    with mcp_server() as server:
        yield server
