"""A message takes a bounded number of SQL statements, whatever is stored already."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.test import AsyncClient

from chat.generations.process import server_process
from chat.quotas.models import Limit
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask
from tests.support.web.front_end import HELLO

TEMPORARY_SEND, TEMPORARY_END = 6, 4
FIRST_SEND, LATER_SEND = 9, 18
#: Statements of the log writer, which depend on time.
FLUSHES = ("chat_logpage", "stop_requested", "chat_worker")
UNCOUNTED = ("BEGIN", "SAVEPOINT", "RELEASE", *FLUSHES)
PERIODS = [name for name in vars(server_process) if name.endswith("_SECONDS")]


@contextmanager
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the statements of all threads."""
    found: list[str] = []

    def noting(plain: Callable[..., Any]) -> Callable[..., Any]:
        def execute(cursor: CursorWrapper, sql: str, *given: Any) -> Any:
            if not any(each in sql for each in UNCOUNTED):
                found.append(sql)
            return plain(cursor, sql, *given)

        return execute

    with monkeypatch.context() as patch:
        for name in ("execute", "executemany"):
            patch.setattr(CursorWrapper, name, noting(getattr(CursorWrapper, name)))
        yield found


@pytest.fixture(autouse=True)
def _no_chores(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PERIODS:
        monkeypatch.setattr(server_process, name, 3600.0)


def locks(count: int) -> int:
    """Return the number of additional statements: PostgreSQL locks the site-wide meter."""
    return count if connection.vendor == "postgresql" else 0


async def test_a_temporary_answer_takes_few_statements(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await Limit.objects.acreate(scope="everyone", measure="tokens", amount=10**6)
    await read_stream(await ask(alice_client, HELLO))  # what a process reads once
    with statements(monkeypatch) as found:
        await read_stream(await ask(alice_client, HELLO))
    assert len(found) <= TEMPORARY_SEND + TEMPORARY_END + locks(2), found


async def test_a_stored_answer_takes_few_statements(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await Limit.objects.acreate(scope="everyone", measure="tokens", amount=10**6)
    await read_stream(await send(alice_client, text="What a process reads once"))
    counts = []
    conversation = None
    for number in range(5):
        with statements(monkeypatch) as found:
            response = await send(alice_client, conversation, text=f"Turn {number}")
            conversation = response["X-Conversation-Id"]
            sending = len(found)
            await read_stream(response)
        counts.append(sending)
    assert counts[0] <= FIRST_SEND + locks(1), counts
    assert max(counts[1:]) <= LATER_SEND + locks(1), counts
    assert len(set(counts[1:])) == 1, counts  # no more in a longer chat
