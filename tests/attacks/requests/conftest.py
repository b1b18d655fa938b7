"""The site behind the shipped nginx file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.attacks.attacked_site import attacked_site
from tests.support.servers.nginx import BINARY, nginx_before
from tests.support.servers.server import Server

ORIGIN = "https://chat.example.org"


@dataclass(frozen=True, slots=True)
class Proxied:
    """`url` is nginx's; `server` the worker behind it."""

    server: Server
    url: str
    folder: Path


@pytest.fixture(scope="package")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    if not BINARY:
        pytest.skip("there is no nginx here")
    folder = tmp_path_factory.mktemp("nginx")
    settings = {"SITE_URL": ORIGIN, "TRUSTED_PROXY_COUNT": "1", "LOG_FORMAT": "json"}
    with attacked_site(**settings) as server:
        with nginx_before([server.port], folder, server.data_dir) as url:
            yield Proxied(server, url, folder)
