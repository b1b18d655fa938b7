"""One server with the usual settings, for all modules that need no others."""

from collections.abc import Iterator

import pytest

from tests.support.servers.server import Server, running


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    with running() as server:
        yield server
