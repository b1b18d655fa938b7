"""Run the site for attacks, as `manage.py serve` runs its workers."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.attacks.people import close_all
from tests.support.servers.server import Server, running

#: Like `--no-proxy-headers`: uvicorn itself would believe what clients on this machine say they are.
NO_PROXY_HEADERS = {"FORWARDED_ALLOW_IPS": "192.0.2.1"}


@contextmanager
def attacked_site(**settings: str) -> Iterator[Server]:
    """Run uvicorn until the end of the block, then close everybody's connections."""
    with running(**NO_PROXY_HEADERS, **settings) as server:
        try:
            yield server
        finally:
            close_all(server)
