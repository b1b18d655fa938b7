"""`doctor` names what a wrongly configured nginx breaks, with the line that mends it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from chat.doctor.check_result import DoctorOptions
from chat.doctor.proxy.worker_check import check_addresses
from chat.doctor.streaming import destination
from chat.doctor.streaming.destination import Destination
from tests.support.servers import caddy, nginx
from tests.support.servers.doctor_report import DoctorReport, run_doctor
from tests.support.servers.server import Server, free_port, running
from tests.support.variants import later

pytestmark = [
    pytest.mark.xdist_group("doctor"),
    pytest.mark.skipif(not nginx.BINARY, reason="there is no nginx here"),
]
LOCATION = "        location / {\n"
#: None of these has to do with the proxy's settings that are spoiled here.
ELSEWHERE = (
    "static",
    "model",
    "silence",
    "settings",
    "database",
    "redis",
    "disk",
    "files",
    "mail",
    "sign-in",
    "clock",
)
NO_STREAMS = (*ELSEWHERE, "streaming")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {
        "SITE_URL": f"https://{nginx.NAME}",
        "TRUSTED_PROXY_COUNT": "1",
        "FORWARDED_ALLOW_IPS": "192.0.2.1",
        "SSL_CERT_FILE": str(tmp_path_factory.getbasetemp() / "trusted.pem"),
    }
    with running(**settings) as server:
        yield server


def examine(
    site: Server, folder: Path, old: str = "", new: str = "", *, ports: tuple[int, ...] = (),
    skip: tuple[str, ...] = NO_STREAMS,
) -> DoctorReport:  # fmt: skip
    """Run `doctor` through deploy/nginx.conf, in which `new` replaces `old`."""

    def spoil(text: str) -> str:
        assert old in text
        return text.replace(old, new) if old else text

    with nginx.nginx_before([site.port, *ports], folder, site.data_dir, change=spoil) as url:
        trusted = {"SSL_CERT_FILE": str(folder / "site.pem")}
        return run_doctor(site, "--url", url, skip=skip, **trusted)


def only_problem(report: DoctorReport) -> dict[str, Any]:
    assert report.exit_code == 1
    (found,) = [each for each in report.results if each["status"] == "problem"]
    return found


def test_nginx_as_shipped_is_healthy(site: Server, tmp_path: Path) -> None:
    found = examine(site, tmp_path, skip=ELSEWHERE)
    assert found.problems == []
    names = {each["check"] for each in found.results if each["status"] == "ok"}
    assert {"Streaming", "WebSocket", "Proxy", "Uploads", "Workers"} <= names


@pytest.mark.long
@pytest.mark.skipif(not caddy.BINARY, reason="there is no caddy here")
def test_caddy_as_shipped_is_healthy(site: Server, tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    with caddy.caddy_before([site.port], tmp_path, tmp_path) as url:
        trusted = {"SSL_CERT_FILE": str(tmp_path / "site.pem")}
        found = run_doctor(site, "--url", url, skip=ELSEWHERE, **trusted)
    assert found.problems == []
    names = {each["check"] for each in found.results if each["status"] == "ok"}
    assert {"Streaming", "WebSocket", "Proxy", "Uploads", "Workers"} <= names


def test_a_short_read_timeout_is_found(site: Server, tmp_path: Path) -> None:
    """5 s are longer than any silence of the paced stream, and shorter than the heartbeat."""
    skip = tuple(each for each in NO_STREAMS if each != "silence")
    found = examine(site, tmp_path, "proxy_read_timeout 90s", "proxy_read_timeout 5s", skip=skip)
    problem = only_problem(found)
    assert problem["check"] == "Silence"
    measured = re.search(r"\(nginx\) cuts silent streams after (\d+) s", problem["message"])
    assert measured
    assert int(measured[1]) >= 5  # a busy machine notices later
    assert "proxy_read_timeout 90s;" in problem["advice"]


@pytest.mark.long
@pytest.mark.parametrize("size", ["100k", *later("1m")])
def test_a_low_limit_of_bodies_is_found(site: Server, tmp_path: Path, size: str) -> None:
    found = examine(site, tmp_path, "client_max_body_size 8m", f"client_max_body_size {size}")
    problem = only_problem(found)
    assert "images in questions fail" in problem["message"]
    assert "client_max_body_size 8m;" in problem["advice"]


@pytest.mark.long
def test_a_low_limit_of_uploads_only_is_found(site: Server, tmp_path: Path) -> None:
    found = examine(site, tmp_path, "client_max_body_size 64m", "client_max_body_size 8m")
    messages = " ".join(found.problems)
    assert "imports fail" in messages
    assert "recordings fail" in messages
    assert {each["check"] for each in found.results if each["status"] == "problem"} == {"Uploads"}
    assert "location = /settings/import/" in found.about("Uploads")[0]["advice"]


@pytest.mark.long
def test_a_dead_worker_of_the_proxy_is_found_though_the_others_answer(
    site: Server, tmp_path: Path
) -> None:
    dead = free_port()
    problem = only_problem(examine(site, tmp_path, ports=(dead,)))
    assert problem["message"] == f"The proxy asks 127.0.0.1:{dead}, which doesn't answer."
    assert f"http://127.0.0.1:{site.port}" in problem["advice"]


@pytest.mark.long
def test_a_dead_worker_that_the_proxy_does_not_avoid_is_found(site: Server, tmp_path: Path) -> None:
    old, new = "proxy_next_upstream error;", "proxy_next_upstream off;"
    found = examine(site, tmp_path, old, new, ports=(free_port(),), skip=ELSEWHERE)
    workers = found.about("Workers")
    # Which worker gets the first request is chance.
    assert not workers or "failed: status 502" in workers[0]["message"]
    assert workers or "doesn't reach the site" in found.one("Streaming")["advice"]


@pytest.mark.long
def test_a_proxy_without_any_worker_is_told_where_the_site_is(site: Server, tmp_path: Path) -> None:
    found = examine(
        site, tmp_path, f"127.0.0.1:{site.port}", f"127.0.0.1:{free_port()}", skip=ELSEWHERE
    )
    problem = only_problem(found)
    assert "answers with status 502 (nginx)" in problem["message"]
    assert f"listens on http://127.0.0.1:{site.port}" in problem["advice"]


@pytest.mark.parametrize(
    ("lines", "header"),
    [
        ("add_header Referrer-Policy no-referrer always;", "Referrer-Policy"),
        *later(
            (
                "proxy_hide_header Referrer-Policy; add_header Referrer-Policy unsafe-url always;",
                "Referrer-Policy",
            ),
            ("add_header X-Frame-Options SAMEORIGIN;", "X-Frame-Options"),
            (
                "add_header Content-Security-Policy \"default-src 'self'\";",
                "Content-Security-Policy",
            ),
            ("proxy_hide_header Cache-Control;", "Cache-Control"),
        ),
    ],
)
def test_changed_headers_of_responses_are_found(
    lines: str, header: str, site: Server, tmp_path: Path
) -> None:
    lines = f"add_header Strict-Transport-Security max-age=31536000; {lines}"
    found = examine(site, tmp_path, LOCATION, f"{LOCATION}{lines}\n")
    assert found.exit_code == 1
    changes = found.about("Proxy")
    assert {each["facts"]["header"] for each in changes} == {header}
    assert f"add_header {header}" in changes[0]["advice"]


@pytest.mark.long
def test_dropped_cookies_are_found(site: Server, tmp_path: Path) -> None:
    found = examine(site, tmp_path, LOCATION, f"{LOCATION}proxy_hide_header Set-Cookie;\n")
    assert "nobody can sign in" in only_problem(found)["message"]


@pytest.mark.long
@pytest.mark.parametrize("host", ["runnel", *later("$proxy_host", "internal.example")])
def test_a_wrong_host_is_found(host: str, site: Server, tmp_path: Path) -> None:
    old, new = "proxy_set_header Host $host;", f"proxy_set_header Host {host};"
    problem = only_problem(examine(site, tmp_path, old, new))
    named = "runnel" if host == "$proxy_host" else host
    assert f"sends the host '{named}' to the site" in problem["message"]
    for words in ("proxy_set_header Host $host;", "SITE_URL", "ALLOWED_HOSTS"):
        assert words in problem["advice"]


@pytest.mark.long
@pytest.mark.parametrize(
    "header", ["Authorization", *later("Cookie", "Last-Event-ID", "Origin", "X-CSRFToken")]
)
def test_a_dropped_header_is_named(header: str, site: Server, tmp_path: Path) -> None:
    old = "        proxy_set_header X-Request-ID $request_id;\n\n"
    new = f'        proxy_set_header {header} "";\n{old}'
    found = examine(site, tmp_path, old, new)
    drops = [each for each in found.results if each["status"] == "problem"]
    assert f"The proxy drops the header {header}: " in drops[0]["message"]
    variable = f"$http_{header.lower().replace('-', '_')}"
    assert f"proxy_set_header {header} {variable};" in drops[0]["advice"]


@pytest.mark.long
@pytest.mark.parametrize("proto", ['""', *later("http")])
def test_a_scheme_that_is_not_passed_on_is_named(proto: str, site: Server, tmp_path: Path) -> None:
    old = "proxy_set_header X-Forwarded-Proto $scheme;"
    found = examine(
        site, tmp_path, old, f"proxy_set_header X-Forwarded-Proto {proto};", skip=ELSEWHERE
    )
    (problem, *_) = found.about("Client addresses")
    assert "doesn't know that people use HTTPS" in problem["message"]
    assert ("is missing" if proto == '""' else "is 'http'") in problem["message"]
    assert "proxy_set_header X-Forwarded-Proto $scheme;" in problem["advice"]


@pytest.mark.long
def test_https_in_front_of_a_site_without_it_is_named(tmp_path: Path) -> None:
    settings = {"SITE_URL": f"http://{nginx.NAME}", "FORWARDED_ALLOW_IPS": "192.0.2.1"}
    with running(**settings) as server:
        found = examine(server, tmp_path)
    (problem,) = found.about("Proxy")
    assert "People use HTTPS, but SITE_URL is http://" in problem["message"]
    assert f"SITE_URL=https://{nginx.NAME}" in problem["advice"]


@pytest.mark.long
def test_a_password_of_the_proxy_is_named(site: Server, tmp_path: Path) -> None:
    (tmp_path / "users").write_text("alice:{PLAIN}secret\n")
    guard = f'auth_basic "Staff"; auth_basic_user_file {tmp_path}/users;\n'
    problem = only_problem(examine(site, tmp_path, LOCATION, LOCATION + guard, skip=ELSEWHERE))
    assert "status 401 (nginx)" in problem["message"]
    assert "auth_basic" in problem["advice"]


def test_a_worker_of_the_site_that_is_away_is_named(
    site: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WORKERS = 2
    addresses = [site.url, f"http://127.0.0.1:{free_port()}"]
    monkeypatch.setattr(destination, "processes", lambda: [Destination(each) for each in addresses])
    (found,) = check_addresses(DoctorOptions())
    assert found.status == "problem"
    assert found.message == f"1 of 2 workers don't answer: {addresses[1]}."
    addresses.pop()
    assert [each.status for each in check_addresses(DoctorOptions())] == ["ok"]


def test_every_worker_has_an_address(settings: Settings) -> None:
    settings.WORKERS, settings.HOST, settings.PORT, settings.SOCKET_DIR = 2, "::", 8000, ""
    assert [each.url for each in destination.processes()] == [
        "http://[::1]:8000",
        "http://[::1]:8001",
    ]
    settings.SOCKET_DIR = "/run/runnel"
    assert destination.processes()[1].socket_path == "/run/runnel/worker-2.sock"
