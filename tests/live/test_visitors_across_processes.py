"""One process writes a visitor's answer and another one reads it; it continues while it is read."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import two_processes
from tests.support.widget.visitor_processes import ABANDONED_AFTER_SECONDS, SETTINGS, Visit

pytestmark = pytest.mark.long


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    with two_processes(tmp_path, **SETTINGS) as (here, there):
        visit = Visit(here, there)
        with visit.client:
            yield visit


def test_an_answer_read_in_another_process_continues_and_stops_without_readers(
    visit: Visit,
) -> None:
    read = visit.read(visit.begin())
    assert '"state": "complete"' in read or '"state":"complete"' in read
    assert read.rstrip().endswith("[DONE]")
    left = visit.begin()
    time.sleep(ABANDONED_AFTER_SECONDS / 2)
    assert visit.state(left) == "running"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while visit.state(left) == "running" and time.monotonic() < deadline:
        time.sleep(0.2)
    assert visit.state(left) == "stopped"


def test_suspending_the_site_ends_the_answer_in_every_process(visit: Visit) -> None:
    generation_id = visit.begin()
    url = f"{visit.there.url}/w/{visit.key}/generations/{generation_id}/stream"
    with visit.client.stream("GET", url) as response:
        chunks = response.iter_bytes()
        next(chunks)
        visit.suspend()
        rest = b"".join(chunks)
    assert b"[DONE]" not in rest
    refused = visit.client.get(url)
    assert (refused.status_code, json.loads(refused.content)["error"]["code"]) == (404, "not_found")
