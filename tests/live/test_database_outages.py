"""A real server whose PostgreSQL goes away, and comes back."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import httpx
import pytest

from tests.support.database.postgres import start_postgres
from tests.support.patience import PATIENCE_SECONDS, Stopwatch
from tests.support.servers.database_proxy import DatabaseProxy, database_proxy
from tests.support.servers.online_member import OnlineMember, Reading
from tests.support.servers.server import Server, running, signed_up

pytestmark = pytest.mark.xdist_group("database outages")

#: Enough on a busy machine, and far less than what is tested against.
BACK_SECONDS = 20


class Site(OnlineMember):
    """A member of a site whose database can fail."""

    def __init__(self, server: Server, database: DatabaseProxy, client: httpx.Client) -> None:
        super().__init__(server, client)
        self.database = database

    def becomes_ready(self) -> bool:
        """Wait until the process is ready: its heartbeat and checks take a while."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.get("/readyz").status_code != 200:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)
        return True


@pytest.fixture(scope="module")
def address() -> str:
    return start_postgres()


@contextmanager
def site_at(address: str, **settings: str) -> Iterator[Site]:
    slow = {"EMULATOR_TOKENS_PER_SECOND": "20"}
    with database_proxy(address) as database:
        with running(DATABASE_URL=database.url, **(slow | settings)) as server:
            with closing(signed_up(server)) as client:
                yield Site(server, database, client)


@pytest.fixture(scope="module")
def site(address: str) -> Iterator[Site]:
    with site_at(address, DATABASE_STATEMENT_SECONDS="2") as site:
        yield site


def test_without_the_database_answers_go_on_and_stop_and_all_else_can_be_retried(
    site: Site,
) -> None:
    with Reading(site, "one", "/slow") as reading:
        site.database.go_away()
        for refused in (site.send("two"), site.get("/chat/", Accept="application/json")):
            error = refused.json()["error"]
            assert (refused.status_code, error["code"]) == (503, "database_unavailable")
            assert error["retryable"]
            assert 0 < int(refused.headers["Retry-After"]) <= 3
        page = site.get("/chat/", Accept="text/html")
        assert (page.status_code, "its database" in page.text) == (503, True)
        assert site.get("/readyz").status_code == 503
        before = len(reading.stream.payloads)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(reading.stream.payloads) == before:
            assert time.monotonic() < deadline, "the answer does not go on"
            time.sleep(0.05)
        assert site.stop(reading.generation_id).status_code == 200
        site.database.come_back()
        assert site.send_until_accepted("two") < BACK_SECONDS
    assert reading.stream.done
    assert reading.stream.key("state") == "stopped"
    stored = site.get(f"/generations/{reading.generation_id}/stream").text
    assert [each for each in reading.stream.payloads if each["response"]]
    assert stored.endswith("data: [DONE]\n\n")
    assert site.becomes_ready()


@pytest.mark.long
def test_after_a_long_outage_the_site_is_back_at_once(site: Site) -> None:
    with Reading(site, "three", "/slow") as reading:
        site.database.go_away()
        ends_at = time.monotonic() + 40  # the pool's own intervals would be at half a minute
        while time.monotonic() < ends_at:
            took = Stopwatch()
            assert site.send("four").status_code == 503
            assert took.seconds < 10
            time.sleep(0.5)
        site.database.come_back()
        assert site.send_until_accepted("four") < 10
    assert reading.stream.done


def test_a_silent_connection_is_replaced_after_a_failover(site: Site) -> None:
    with Reading(site, "five", "/slow") as reading:
        site.database.fall_silent()
        facts = site.get("/readyz").json()
        assert not facts["ready"]
        assert "ok" not in {facts["writer"], facts["database"]}
        site.database.come_back()  # for new connections only
        assert site.send_until_accepted("six") < BACK_SECONDS
        assert site.becomes_ready()
        assert site.stop(reading.generation_id).status_code == 200
    assert reading.stream.key("state") == "stopped"


@pytest.mark.long
def test_the_process_ends_though_its_database_never_answers(address: str) -> None:
    with site_at(address, DATABASE_STATEMENT_SECONDS="0") as site:  # no limit of its own
        site.database.fall_silent()
        held = threading.Thread(target=site.get_in_vain)
        held.start()
        time.sleep(1)  # the request has reached the database
        site.server.send(signal.SIGTERM)
        assert site.server.wait(BACK_SECONDS * 3) is not None, "it does not end"
        held.join(60)


@pytest.mark.long
def test_a_process_that_starts_without_its_database_refuses_politely_and_then_works(
    site: Site, address: str
) -> None:
    """Behind a proxy it must not look dead, or people get the proxy's 502."""
    site.database.go_away()
    site.server.end(signal.SIGKILL)
    site.server.start()
    refused = site.send("seven")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "database_unavailable")
    page = site.get("/chat/", Accept="text/html")
    assert (page.status_code, "its database" in page.text) == (503, True)
    assert site.get("/healthz").status_code == 200
    assert site.get("/readyz").status_code == 503
    log = site.server.log.read_text()
    assert "PostgreSQL can't be reached" in log.partition("not ready:")[2].splitlines()[0]
    site.database.come_back()
    assert site.send_until_accepted("seven") < BACK_SECONDS
    assert site.becomes_ready()
    assert "Traceback" not in log


@pytest.mark.long
def test_refusals_during_an_outage_do_not_flood_the_log(site: Site) -> None:
    before = len(site.server.log.read_text())
    site.database.go_away()
    for _ in range(20):
        assert site.get("/chat/", Accept="application/json").status_code == 503
    site.database.come_back()
    assert site.becomes_ready()
    said = site.server.log.read_text()[before:]
    assert " ERROR " not in said
    assert said.count("database_unavailable OperationalError") <= 3
    assert said.count("error=database_unavailable") >= 20
