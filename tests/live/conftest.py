"""One server of each kind, with the usual settings, for all modules that need no others."""

from collections.abc import Iterator

import pytest

from tests.support.servers.server import Server, running


@pytest.fixture(scope="package")
def daphne() -> Iterator[Server]:
    with running("daphne") as server:
        yield server


@pytest.fixture(scope="package")
def uvicorn() -> Iterator[Server]:
    with running("uvicorn") as server:
        yield server
