"""Behind PgBouncer, above all in transaction mode: told what to set, and no lock is left behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from project.serving import start_lock
from tests.support.database import postgres
from tests.support.servers import pgbouncer
from tests.support.servers.pgbouncer import SUITABLE, PgBouncer
from tests.support.servers.server import ROOT, START_SECONDS, environment, free_port

pytestmark = [
    pytest.mark.xdist_group("serving"),
    pytest.mark.long,
    pytest.mark.timeout(600),  # servers start slowly on a busy machine
    pytest.mark.skipif(not pgbouncer.BINARY, reason="needs PgBouncer"),
]
HOLDING = """
import time
from project.serving.start_lock import _advisory_lock
with _advisory_lock(print):
    print("held", flush=True)
    time.sleep(3600)
"""


@pytest.fixture(scope="module")
def address() -> str:
    server = postgres.start_postgres()
    return postgres.address_of(server, postgres.migrated_database(server))


@pytest.fixture(params=["transaction"])
def bouncer(address: str, request: pytest.FixtureRequest) -> Iterator[PgBouncer]:
    bouncer = PgBouncer(address, request.param)
    bouncer.start()
    try:
        yield bouncer
    finally:
        bouncer.remove()


def started(
    folder: Path, bouncer: PgBouncer, *command: str, **settings: str
) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(folder, free_port(), DATABASE_URL=bouncer.url, **settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize(
    ("settings", "unsupported"),
    [({}, "options"), ({"DATABASE_STATEMENT_SECONDS": "0"}, "prepared statements")],
)
def test_what_cannot_work_is_refused_in_a_line(
    tmp_path: Path, bouncer: PgBouncer, settings: dict[str, str], unsupported: str
) -> None:
    process = started(tmp_path, bouncer, "serve", **settings)
    said, _ = process.communicate(timeout=START_SECONDS)
    assert process.returncode == 1
    (line,) = said.splitlines()
    assert f"such as PgBouncer, that doesn't support {unsupported}" in line
    assert all(f"{name}={value}" in line for name, value in SUITABLE.items())


@pytest.mark.parametrize("bouncer", ["transaction", "session"], indirect=True)
def test_with_the_settings_that_it_names_the_site_is_prepared(
    tmp_path: Path, bouncer: PgBouncer
) -> None:
    process = started(tmp_path, bouncer, "prepare", **SUITABLE)
    said, _ = process.communicate(timeout=START_SECONDS)
    assert "is ready to be served" in said


def test_a_starter_that_is_killed_leaves_no_lock(
    tmp_path: Path, bouncer: PgBouncer, address: str
) -> None:
    holder = started(tmp_path, bouncer, "shell", "--no-imports", "--command", HOLDING, **SUITABLE)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()
    process = started(tmp_path / "next", bouncer, "prepare", **SUITABLE)
    said, _ = process.communicate(timeout=START_SECONDS)
    assert "is ready to be served" in said
    with psycopg.connect(address) as reader:
        row = reader.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        assert row == (0,)


def test_a_lock_that_is_held_for_long_names_its_holder(
    tmp_path: Path, bouncer: PgBouncer, address: str
) -> None:
    with psycopg.connect(address, autocommit=True) as old_version:
        old_version.execute("SELECT pg_advisory_lock(%s)", [start_lock.ADVISORY_KEY])
        code = (
            "from project.serving import start_lock as s\ns.LONG_SECONDS = 0\n"
            "with s._advisory_lock(lambda line: print(line, flush=True)):\n    print('mine')"
        )
        process = started(tmp_path, bouncer, "shell", "--no-imports", "--command", code, **SUITABLE)
        assert process.stdout
        assert "Waiting for another process" in process.stdout.readline()
        named = process.stdout.readline()
        assert f"pg_terminate_backend({old_version.info.backend_pid})" in named
    said, _ = process.communicate(timeout=START_SECONDS)
    assert "mine" in said
