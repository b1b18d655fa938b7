"""Forms that would take long to parse are refused unread: parsing would hold all other requests."""

from pathlib import Path

import httpx
import pytest

from tests.support.servers.server import running

LOGIN = "/accounts/login/"
MULTIPART = "multipart/form-data; boundary=x"
URLENCODED = "application/x-www-form-urlencoded"
HOSTILE = {
    "empty parts": (MULTIPART, b"\r\n--x\r\n" * 550_000),
    "header lines": (MULTIPART, b"\r\n--x\r\n" + b"a:b\r\n" * 600_000),
    "small parts": (
        MULTIPART,
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n' * 60_000,
    ),
    "fields": (URLENCODED, b"a=%41&" * 600_000),
}


def cpu_ticks(pid: int) -> int:
    """Return the processor time that a process has used, in ticks."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


@pytest.mark.long
def test_a_hostile_form_costs_the_server_no_more_than_other_bodies() -> None:
    with running() as server:

        def ticks_for(kind: str, body: bytes) -> int:
            before = cpu_ticks(server.pid)
            url, headers = f"{server.url}{LOGIN}", {"Content-Type": kind}
            said = httpx.post(url, content=body, headers=headers, trust_env=False, timeout=60)
            assert said.status_code in (400, 403, 413)
            return cpu_ticks(server.pid) - before

        ticks_for("text/plain", b"x")  # the first request loads modules
        for name, (kind, body) in HOSTILE.items():
            plain = ticks_for("application/octet-stream", body)
            assert ticks_for(kind, body) <= 2 * plain + 20, name
