"""`doctor` tells whether answers stream through the site's address, and names what buffers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.doctor.streaming.pace import Flow, pace_of
from chat.doctor.streaming.proxy_advice import program_of
from tests.support.missing_programs import skip_without
from tests.support.servers import nginx
from tests.support.servers.doctor_report import run_doctor
from tests.support.servers.proxies import buffering
from tests.support.servers.server import Server, running

pytestmark = pytest.mark.xdist_group("doctor")
#: Like `uvicorn --no-proxy-headers`, which docs/operations.md asks for.
NO_PROXY_HEADERS = {"FORWARDED_ALLOW_IPS": "192.0.2.1"}
SENT = [number * 0.2 for number in range(15)]


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with running(**NO_PROXY_HEADERS) as server:
        yield server


def arriving(delay: float, hold: float = 0.0) -> list[tuple[float, float]]:
    """Return arrivals after `delay`, and at the next multiple of `hold` seconds."""
    return [(sent, delay + (hold and hold - sent % hold) + sent) for sent in SENT]


@pytest.mark.long
def test_a_site_without_a_proxy_is_healthy(site: Server) -> None:
    found = run_doctor(site)
    assert found.problems == []
    assert found.exit_code == 0
    assert found.one("Streaming")["facts"]["flow"] == "steady"
    assert "no proxy" in found.one("Client addresses")["message"]
    assert found.one("WebSocket")["status"] == "ok"


def test_a_proxy_that_buffers_is_named_with_what_to_set(site: Server) -> None:
    with buffering(site.url) as url:
        found = run_doctor(site, "--url", url)
    assert found.exit_code == 1
    assert found.one("Process")["status"] == "ok"
    streaming = found.one("Streaming")
    assert streaming["status"] == "problem"
    assert f"The proxy at {url} (nginx) buffers: all events arrived at once" in streaming["message"]
    assert "proxy_buffering off" in streaming["advice"]


@pytest.mark.long
def test_a_proxy_that_hides_the_clients_address_is_told(site: Server) -> None:
    with buffering(site.url) as url:
        found = run_doctor(site, "--url", url)
    assert "X-Forwarded-For" in found.one("Client addresses")["message"]


@pytest.mark.long
def test_a_wrong_count_of_proxies_without_a_proxy_lets_addresses_be_forged() -> None:
    with running(TRUSTED_PROXY_COUNT="1", **NO_PROXY_HEADERS) as server:
        found = run_doctor(server)
    assert "Anybody can forge" in found.one("Client addresses")["message"]
    assert "TRUSTED_PROXY_COUNT=0" in found.one("Client addresses")["advice"]


@pytest.mark.long
def test_a_server_that_rewrites_addresses_is_told() -> None:
    with running() as server:
        found = run_doctor(server)
    assert "--no-proxy-headers" in found.one("Client addresses")["advice"]


@pytest.mark.long
def test_a_site_that_does_not_run_is_told(site: Server) -> None:
    found = run_doctor(site, "--url", "http://127.0.0.1:9", "--process-url", "http://127.0.0.1:9")
    assert found.exit_code == 1
    assert "Start the site" in found.one("Process")["advice"]
    assert "can't be reached" in found.one("Streaming")["message"]


@pytest.mark.long
def test_a_process_that_listens_elsewhere_is_only_not_compared(site: Server) -> None:
    found = run_doctor(site, "--process-url", "unix:/nowhere/socket")
    assert found.problems == []
    assert "--process-url" in found.one("Process")["advice"]


@pytest.mark.long
def test_a_process_with_another_key_is_told(site: Server) -> None:
    found = run_doctor(site, SECRET_KEY="another " * 10)
    assert "key" in found.one("Process")["message"]
    assert "SECRET_KEY" in found.one("Streaming")["advice"]


@pytest.mark.long
@skip_without(nginx.BINARY, "nginx")
@pytest.mark.parametrize("is_spoiled", [False, True])
def test_nginx_as_shipped_is_healthy_and_is_named_if_it_buffers(
    is_spoiled: bool, tmp_path: Path
) -> None:
    def spoil(text: str) -> str:
        bad = "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering; gzip on; gzip_types *;"
        text = text.replace("gzip off;", "")
        assert "proxy_buffering off;" in text
        return text.replace("proxy_buffering off;", bad)

    settings = {
        "SITE_URL": f"https://{nginx.NAME}",
        "TRUSTED_PROXY_COUNT": "1",
        "SSL_CERT_FILE": str(tmp_path / "site.pem"),
        **NO_PROXY_HEADERS,
    }
    with running(**settings) as server:
        change = {"change": spoil} if is_spoiled else {}
        with nginx.nginx_before([server.port], tmp_path, server.data_dir, **change) as url:
            found = run_doctor(server, "--url", url)
    assert "client" in found.one("Client addresses")["facts"]
    assert found.one("Client addresses")["status"] == "ok"
    assert found.one("Certificate")["status"] == "warning"  # it is valid for one day
    if is_spoiled:
        (problem,) = found.problems
        assert "(nginx), which compresses streams (gzip), buffers" in problem
    else:
        assert found.problems == []


def test_the_pace_is_steady_however_long_the_way_is() -> None:
    assert pace_of(arriving(0.01)).flow is Flow.STEADY
    far = pace_of(arriving(3.0))
    assert (far.flow, far.first_seconds) == (Flow.STEADY, 3.0)


def test_what_is_collected_arrives_at_once_or_in_bursts() -> None:
    assert pace_of(arriving(0.0, hold=3.0)).flow is Flow.AT_ONCE
    bursts = pace_of(arriving(0.01, hold=1.0))
    assert bursts.flow is Flow.IN_BURSTS
    assert bursts.held_seconds == pytest.approx(0.8, abs=0.1)


@pytest.mark.parametrize(
    ("headers", "name", "setting"),
    [
        ({"server": "nginx"}, "nginx", "proxy_buffering off"),
        ({"server": "Caddy"}, "Caddy", "flush_interval -1"),
        ({"via": "1.1 Caddy", "server": "uvicorn"}, "Caddy", "flush_interval -1"),
        ({"server": "cloudflare", "cf-ray": "8c"}, "Cloudflare", "buffering"),
        ({"server": "Apache/2.4"}, "Apache", "flushpackets=on"),
        ({"server": "Somebody/1"}, "Somebody", "Turn off"),
        ({"server": "uvicorn"}, "", "Turn off"),
    ],
)
def test_programs_are_known_by_their_headers(
    headers: dict[str, str], name: str, setting: str
) -> None:
    found, advice = program_of(headers)
    assert found == name
    assert setting in advice
