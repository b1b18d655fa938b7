"""A worker that hangs is noticed, killed and replaced, also if it is the only one."""

import os
import signal
import socket
from pathlib import Path

import pytest

from tests.support.servers.served_site import serving, wait_until

pytestmark = [
    pytest.mark.xdist_group("serving"),
    pytest.mark.long,
    pytest.mark.timeout(600),  # servers start slowly on a busy machine
]

#: Loaded by every Python process of the site. SIGUSR2 keeps the thread of the event loop busy.
BLOCKING = """
import signal
def never_return(*_):
    while True:
        pass
signal.signal(signal.SIGUSR2, never_return)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_worker_is_replaced(tmp_path: Path, workers: int) -> None:
    with serving(tmp_path, workers=workers, WORKER_TIMEOUT_SECONDS="1") as site:
        last = site.worker_pids()[-1]
        os.kill(last, signal.SIGSTOP)
        site.until_logged(f"worker {workers} at 127.0.0.1:{site.ports[-1]} hasn't answered")
        site.until_logged(f"started worker {workers}", times=2)
        wait_until(lambda: site.status(site.ports[-1]) == 200, site.text)
        assert site.text().count("hasn't answered") == 1
        assert len(site.worker_pids()) == workers + 1


def test_a_worker_with_a_blocked_event_loop_says_where_it_hangs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BLOCKING)
    settings = {"PYTHONPATH": str(tmp_path), "WORKER_TIMEOUT_SECONDS": "1"}
    with serving(tmp_path, **settings) as site:
        os.kill(site.worker_pids()[0], signal.SIGUSR2)
        site.until_logged("started worker 1", times=2)
        assert "in never_return" in site.text()
        wait_until(lambda: site.status(site.port) == 200, site.text)


def test_systemd_hears_that_the_site_is_ready_and_alive(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service_manager:
        service_manager.bind(str(tmp_path / "notify"))
        service_manager.settimeout(60)
        settings = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "60000000"}
        with serving(tmp_path, **settings) as site:
            told: set[bytes] = set()
            while not told >= {b"READY=1", b"WATCHDOG=1"}:
                told.add(service_manager.recv(1024))
            assert site.status(site.port) == 200
