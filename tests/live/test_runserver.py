"""`manage.py runserver`, for development: Daphne serves the site, without reloading here."""

import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.online_member import OnlineMember, Reading
from tests.support.servers.server import Server, signed_up

STATE = """
from chat.generations.models import Generation
print(Generation.objects.get(pk="{}").state)
"""


@pytest.fixture
def runserver(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, EMULATOR_TOKENS_PER_SECOND="60")
    server.command = [sys.executable, "manage.py", "runserver", "--noreload", str(server.port)]
    server.prepare()
    # A process that was started in the background ignores Ctrl+C, and so would those it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        server.start()
        yield server
    finally:
        signal.signal(signal.SIGINT, before)
        server.end()


def test_it_streams_and_resumes_an_answer_and_ends_on_ctrl_c(runserver: Server) -> None:
    with closing(signed_up(runserver)) as client:
        member = OnlineMember(runserver, client)
        with Reading(member, "one", "Hello") as reading:
            assert not reading.stream.done  # it arrives while it is written
        url = f"/generations/{reading.generation_id}/stream"
        resumed = member.get(url, **{"Last-Event-ID": str(reading.stream.ids[2])})
        assert f"id: {reading.stream.ids[3]}\n" in resumed.text
        assert f"id: {reading.stream.ids[2]}\n" not in resumed.text
        assert resumed.text.rstrip().endswith("[DONE]")
        with Reading(member, "two", "/slow") as cut:
            runserver.send(signal.SIGINT)
        assert not cut.stream.done
    assert runserver.wait(PATIENCE_SECONDS) is not None
    assert runserver.run(STATE.format(cut.generation_id)) == "interrupted"
    assert "Traceback" not in runserver.log.read_text()


def test_a_client_cannot_change_the_sites_path_prefix_by_a_header(runserver: Server) -> None:
    response = httpx.get(f"{runserver.url}/", headers={"Daphne-Root-Path": "/evil"})
    assert response.headers["location"] == "/chat/"
