"""One server for all attacks that need no settings of their own, and the people on it."""

from collections.abc import Iterator

import pytest

from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.people import Person, person
from tests.support.attacks.world import Ids, objects_of
from tests.support.servers.server import Server


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the files in one test process, so that one server is started.

    Only what is marked `quick` is part of `make test`: it takes seconds, with or without a server.
    """
    if not item.get_closest_marker("quick"):
        item.add_marker(pytest.mark.long)
    item.add_marker(pytest.mark.xdist_group("attacks"))


@pytest.fixture(scope="package")
def site() -> Iterator[Server]:
    with attacked_site(STREAM_REAUTH_SECONDS="0.3", LOG_FORMAT="json") as server:
        yield server


@pytest.fixture
def fresh_site() -> Iterator[Server]:
    """Return a site without people, and without wrong keys: others come from the same address."""
    with attacked_site() as server:
        yield server


@pytest.fixture(scope="package")
def alice(site: Server) -> Person:
    return person(site, "alice@example.org")


@pytest.fixture(scope="package")
def objects_of_alice(alice: Person) -> Ids:
    """Return the ids of one object of each kind: their names are hers, so they are made once."""
    return objects_of(alice)


@pytest.fixture(scope="package")
def bob(site: Server) -> Person:
    return person(site, "bob@example.org")


@pytest.fixture(scope="package")
def ada(site: Server) -> Person:
    """Return an administrator."""
    return person(site, "ada@example.org", is_staff=True, is_superuser=True)
