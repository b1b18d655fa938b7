"""A real server whose PostgreSQL goes away, and comes back."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import httpx
import pytest

from chat.lib.sse import SseDecoder
from tests.support.database.postgres import start_postgres
from tests.support.generations.stream_reader import Stream
from tests.support.servers.database_proxy import DatabaseProxy, database_proxy
from tests.support.servers.server import Server, running, signed_up

pytestmark = pytest.mark.xdist_group("database outages")

#: Enough on a busy machine, and far less than what is tested against.
BACK_SECONDS = 20


class Site:
    """A server behind a proxy to its database, and a member who uses it."""

    def __init__(self, server: Server, database: DatabaseProxy, client: httpx.Client) -> None:
        self.server, self.database, self._client = server, database, client

    def send(self, key: str, text: str = "Hello") -> httpx.Response:
        with self.sending(key, text) as response:
            response.read()
        return response

    @contextmanager
    def sending(self, key: str, text: str) -> Iterator[httpx.Response]:
        body = {"key": key.ljust(32, "0"), "text": text}
        headers = self._headers | {"Accept": "text/event-stream"}
        with self._client.stream("POST", "/chat/messages", json=body, headers=headers) as response:
            yield response

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._client.get(path, headers=headers)

    def get_in_vain(self) -> None:
        with suppress(httpx.HTTPError):
            self.get("/chat/", Accept="text/html")

    def stop(self, generation_id: str) -> httpx.Response:
        path = f"/generations/{generation_id}/cancellation"
        return self._client.post(path, headers=self._headers)

    def send_until_accepted(self, key: str) -> float:
        """Repeat a send as the page does; return how long it took."""
        began = time.monotonic()
        while time.monotonic() - began < 120:
            with self.sending(key, "Hello") as response:
                if response.status_code == 200:
                    return time.monotonic() - began
            time.sleep(0.2)
        raise AssertionError("the send is never accepted")

    @property
    def _headers(self) -> dict[str, str]:
        token = self._client.cookies["csrftoken"]
        return {"X-CSRFToken": token, "Origin": self.server.url, "Accept": "application/json"}


class Reading:
    """A stream that is read in a thread."""

    def __init__(self, site: Site, key: str) -> None:
        self._site, self._key = site, key
        self.stream = Stream()
        self.generation_id = ""
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._read)

    def __enter__(self) -> "Reading":
        self._thread.start()
        assert self._begun.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive(), "the stream did not end"

    def _read(self) -> None:
        decoder = SseDecoder()
        with self._site.sending(self._key, "/slow") as response:
            self.generation_id = response.headers["X-Generation-Id"]
            for chunk in response.iter_raw():
                self.stream.feed(decoder, chunk)
                self._begun.set()


@pytest.fixture(scope="module")
def address() -> str:
    return start_postgres()


@contextmanager
def site_at(address: str, **settings: str) -> Iterator[Site]:
    slow = {"EMULATOR_TOKENS_PER_SECOND": "20"}
    with database_proxy(address) as database:
        with running("uvicorn", DATABASE_URL=database.url, **(slow | settings)) as server:
            with closing(signed_up(server)) as client:
                yield Site(server, database, client)


@pytest.fixture(scope="module")
def site(address: str) -> Iterator[Site]:
    with site_at(address, DATABASE_STATEMENT_SECONDS="2") as site:
        yield site


def test_without_the_database_answers_go_on_and_stop_and_all_else_can_be_retried(
    site: Site,
) -> None:
    with Reading(site, "one") as reading:
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
        deadline = time.monotonic() + 60
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
    assert site.get("/readyz").status_code == 200


@pytest.mark.long
def test_after_a_long_outage_the_site_is_back_at_once(site: Site) -> None:
    with Reading(site, "three") as reading:
        site.database.go_away()
        ends_at = time.monotonic() + 40  # the pool's own intervals would be at half a minute
        while time.monotonic() < ends_at:
            began = time.monotonic()
            assert site.send("four").status_code == 503
            assert time.monotonic() - began < 10
            time.sleep(0.5)
        site.database.come_back()
        assert site.send_until_accepted("four") < 10
    assert reading.stream.done


def test_a_silent_connection_is_replaced_after_a_failover(site: Site) -> None:
    with Reading(site, "five") as reading:
        site.database.fall_silent()
        facts = site.get("/readyz").json()
        assert not facts["ready"]
        assert "ok" not in {facts["writer"], facts["database"]}
        site.database.come_back()  # for new connections only
        assert site.send_until_accepted("six") < BACK_SECONDS
        assert site.get("/readyz").status_code == 200
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
