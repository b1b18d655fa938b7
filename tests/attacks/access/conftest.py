"""A site that answers slowly, so that something can happen meanwhile."""

import uuid
from collections.abc import Iterator

import pytest

from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.people import Person, person
from tests.support.servers.server import Server


@pytest.fixture(scope="package")
def slow_site() -> Iterator[Server]:
    settings = {
        "STREAM_REAUTH_SECONDS": "0.2",
        "EMULATOR_TOKENS_PER_SECOND": "15",
        "UNDO_SECONDS": "1",
    }
    with attacked_site(**settings) as server:
        yield server


@pytest.fixture
def member(slow_site: Server) -> Person:
    return person(slow_site, f"member-{uuid.uuid4().hex[:8]}@example.org")
