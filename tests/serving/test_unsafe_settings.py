"""`manage.py serve` refuses unsafe settings, with the remedy, before anything starts."""

import socket
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import override_settings

from project.serving.checks import SERVING, connection_limit, is_loopback
from project.serving.listen_address import ListenAddress, listen_addresses
from tests.support.servers.served_site import refusal
from tests.support.servers.server import free_port

SECURE: dict[str, Any] = {
    "SECURE": True,
    "SITE_URL": "https://chat.example.org",
    "TRUSTED_PROXY_COUNT": 1,
    "IS_MAILED": True,
    "WORKERS_AI_BASE_URL": "http://models.example.org/v1",
}
REDIS = {"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer"}}


def found(**settings: Any) -> dict[str, str]:
    """Return the ids and remedies of what the checks say."""
    with override_settings(**(SECURE | settings)):
        return {
            str(each.id): f"{each.msg} {each.hint}"
            for each in run_checks(tags=[SERVING], include_deployment_checks=True)
        }


def test_a_safe_site_passes() -> None:
    assert found() == {}
    assert found(SECURE=False, SITE_URL="http://localhost:8000", TRUSTED_PROXY_COUNT=0) == {}


@pytest.mark.parametrize(
    ("settings", "number", "remedy"),
    [
        ({"DEBUG": True}, "E002", "Remove DEBUG"),
        ({"SECURE": False, "SITE_URL": "http://chat.example.org"}, "E003", "https://"),
        ({"SECURE": False, "SITE_URL": "http://192.168.1.5:8000"}, "E003", "https://"),
        ({"TRUSTED_PROXY_COUNT": 0}, "E004", "Set TRUSTED_PROXY_COUNT"),
        ({"HOST": "0.0.0.0"}, "W005", "HOST=127.0.0.1"),
        ({"PORT": 65535, "WORKERS": 2, "CHANNEL_LAYERS": REDIS}, "E006", "up to 65534"),
        ({"WORKERS": 2}, "W008", "REDIS_URL"),
        ({"IS_MAILED": False}, "W009", "EMAIL_URL"),
        ({"WORKERS_AI_BASE_URL": ""}, "W010", "CLOUDFLARE_API_TOKEN"),
    ],
)
def test_unsafe_settings_are_found_with_their_remedy(
    settings: dict[str, Any], number: str, remedy: str
) -> None:
    messages = found(**settings)
    assert remedy in messages[f"runnel.{number}"]
    assert set(messages) - {"runnel.W007"} == {f"runnel.{number}"}  # W007: on SQLite


def test_sockets_need_neither_ports_nor_a_private_host() -> None:
    messages = found(SOCKET_DIR="/run/runnel", HOST="0.0.0.0", PORT=65535, WORKERS=2)
    assert set(messages) <= {"runnel.W007", "runnel.W008"}


@pytest.mark.django_db
@override_settings(WORKERS=64)
def test_more_connections_than_postgresql_allows_are_found() -> None:
    from django.db import connection

    messages = connection_limit(databases=["default"])
    if connection.vendor != "postgresql":
        assert messages == []
    else:
        assert [each.id for each in messages] == ["runnel.W011"]
        assert "DATABASE_CONNECTIONS" in str(messages[0].hint)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("chat.localhost", True),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("chat.example.org", False),
        ("", False),
    ],
)
def test_loopback_hosts_are_known(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_serve_refuses_and_starts_nothing(tmp_path: Path) -> None:
    said = refusal(tmp_path, free_port(), SITE_URL="http://chat.example.org", DEBUG="yes")
    assert "runnel.E002" in said
    assert "runnel.E003" in said
    assert not (tmp_path / "static").exists()


def test_serve_refuses_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal(tmp_path, port)
    assert f"port {port} is in use by another process; stop it, or change PORT" in said


def test_problems_of_sockets_are_named(tmp_path: Path) -> None:
    def problem(folder: Path) -> str:
        return listen_addresses(1, "", 0, str(folder))[0].problem()

    assert problem(tmp_path) == ""
    assert "create it" in problem(tmp_path / "missing")
    assert "too long" in problem(tmp_path / ("x" * 110))
    path = tmp_path / "worker-1.sock"
    path.write_text("")
    assert "isn't a socket" in problem(tmp_path)
    path.unlink()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        assert "in use" in problem(tmp_path)
    assert problem(tmp_path) == ""  # one that a dead process left behind


@pytest.mark.parametrize("text", ["127.0.0.1:8000", "[::1]:8001", "unix:/run/runnel/worker-1.sock"])
def test_addresses_are_read_as_they_are_written(text: str) -> None:
    assert str(ListenAddress.parse(text)) == text
