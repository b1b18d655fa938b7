"""An address that can't be reached is a problem, whatever the process behind it does."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from pytest_django import Settings

from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.streaming import streaming_check
from chat.doctor.streaming.destination import Destination
from chat.doctor.streaming.measurement import Measurement, measure

PROCESS = "http://127.0.0.1:8000"
STEADY = [(number * 0.2, 0.01 + number * 0.2) for number in range(15)]


@pytest.fixture(autouse=True)
def _process_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process itself stream; other addresses are really asked."""

    def measured(destination: Destination) -> Measurement:
        if destination.url == PROCESS:
            return Measurement(destination, status=200, arrivals=STEADY, is_whole=True)
        return measure(destination)

    monkeypatch.setattr(streaming_check, "measure", measured)


def found_at(url: str) -> list[CheckResult]:
    return list(streaming_check.check_streaming(DoctorOptions(url=url, process_url=PROCESS)))


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def answering(content: bytes) -> Iterator[str]:
    """Run a server that sends `content` to its only client; yield its URL."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.recv(65536)
                client.sendall(content)

        Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def only_problem(url: str) -> CheckResult:
    process, address = found_at(url)
    assert (process.check, process.status) == ("Process", "ok")
    assert (address.check, address.status) == ("Streaming", "problem")
    assert url in address.message
    return address


def test_nobody_listens_there() -> None:
    problem = only_problem(f"http://127.0.0.1:{unused_port()}")
    assert "can't be reached" in problem.message
    assert "DNS, the firewall, the proxy" in problem.advice


def test_the_name_does_not_exist() -> None:
    assert "can't be reached" in only_problem("http://nowhere.invalid").message


def test_it_is_the_sites_own_address_that_is_asked(settings: Settings) -> None:
    settings.SITE_URL = f"http://127.0.0.1:{unused_port()}"
    process, address = found_at("")
    assert process.status == "ok"
    assert address.status == "problem"
    assert f"{settings.SITE_URL} can't be reached" in address.message


def test_it_hangs_up() -> None:
    with answering(b"") as url:
        assert "can't be reached" in only_problem(url).message


def test_its_certificate_is_not_one() -> None:
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
        secure = url.replace("http:", "https:")
        assert "can't be reached" in only_problem(secure).message


@pytest.mark.parametrize("status", ["502 Bad Gateway", "503 Service Unavailable", "404 Not Found"])
def test_it_answers_with_an_error(status: str) -> None:
    with answering(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()) as url:
        problem = only_problem(url)
    assert problem.facts["status"] == int(status[:3])


def test_it_breaks_off() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 900\r\n\r\n"
    with answering(head + b"data: ") as url:
        assert "ended the stream at its start" in only_problem(url).message
