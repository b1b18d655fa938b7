"""`manage.py prepare` migrates once, whoever starts at the same time, and collects what is new."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest
from django.db import connection

from project.serving import start_lock
from tests.support.database import postgres
from tests.support.servers.server import ROOT, START_SECONDS, environment


def prepare(env: dict[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "manage.py", "prepare"],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def result(process: "subprocess.Popen[str]") -> str:
    said, _ = process.communicate(timeout=START_SECONDS)
    assert process.returncode == 0, said
    return said


@pytest.mark.long
def test_of_two_at_once_one_works_and_the_other_waits(tmp_path: Path) -> None:
    env = environment(tmp_path, 8000)
    said = [result(each) for each in [prepare(env), prepare(env)]]
    assert sorted("Static files are collected" in each for each in said) == [False, True]
    assert (tmp_path / "static" / "staticfiles.json").is_file()
    assert all("is ready to be served" in each for each in said)


@pytest.mark.django_db
def test_on_postgresql_starters_on_two_machines_wait_for_each_other(tmp_path: Path) -> None:
    """Two machines share nothing but the database."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is on one machine")
    address = os.environ["DATABASE_URL"]
    name = f"empty_{os.getpid()}"
    with psycopg.connect(address, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    url = postgres.address_of(address, name)
    with psycopg.connect(url, autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(%s)", [start_lock.ADVISORY_KEY])
        waiting = [prepare(environment(tmp_path / n, 8000, DATABASE_URL=url)) for n in "ab"]
        assert all(each.stdout for each in waiting)
        for each in waiting:
            assert each.stdout
            assert "Waiting for another process" in each.stdout.readline()
    for each in waiting:
        assert "is ready to be served" in result(each)
    with psycopg.connect(url) as reader:
        row = reader.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
        assert row.fetchone() == (0,)


@pytest.mark.django_db
def test_the_lock_is_free_again_after_an_error() -> None:
    def tell(line: str) -> None:
        raise AssertionError(line)

    for _ in range(2):
        with pytest.raises(ZeroDivisionError), start_lock.start_lock(tell):
            raise ZeroDivisionError


def test_a_second_starter_waits_until_the_first_is_done() -> None:
    waits, order = Event(), []

    def second() -> None:
        with start_lock._file_lock(lambda _line: waits.set()):
            order.append("second")

    thread = Thread(target=second)
    with start_lock._file_lock(order.append):
        thread.start()
        assert waits.wait(START_SECONDS)
        order.append("first")
    thread.join(START_SECONDS)
    assert order == ["first", "second"]
