"""`manage.py serve` in a terminal: Ctrl+C ends it, and so does closing the terminal."""

import os
import pty
import select
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.servers.served_site import READY, ServedSite, wait_until
from tests.support.servers.server import ROOT, free_port

pytestmark = pytest.mark.xdist_group("serving")


class Terminal:
    """A pseudoterminal with `manage.py serve` in it."""

    def __init__(self, site: ServedSite, *options: str) -> None:
        self.shown = ""
        self.code: int | None = None
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            command = [sys.executable, "manage.py", "serve", *options]
            os.execve(command[0], command, site.environment)
        self._closed = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        self._closed.set()
        self._reader.join()  # a terminal that is being read stays open
        os.close(self.terminal)

    def _read(self) -> None:
        with suppress(OSError):
            while not self._closed.is_set():
                if select.select([self.terminal], [], [], 0.1)[0]:
                    self.shown += os.read(self.terminal, 4096).decode(errors="replace")

    def until_shown(self, words: str) -> None:
        wait_until(lambda: words in self.shown, lambda: self.shown)

    def until_ended(self) -> int:
        """Return the exit code."""

        def has_ended() -> bool:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            return bool(pid)

        wait_until(has_ended, lambda: self.shown)
        assert self.code is not None
        return self.code


@pytest.mark.long
def test_ctrl_c_ends_the_site_and_a_setup_link_was_shown(tmp_path: Path) -> None:
    site = ServedSite(tmp_path)
    site.prepare()
    terminal = Terminal(site)
    terminal.until_shown(READY)
    assert "/accounts/setup/" in terminal.shown
    os.write(terminal.terminal, b"\x03")
    assert terminal.until_ended() == 0
    terminal.close()
    assert "SIGINT: ending the workers" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert site.status(site.port) == 0


@pytest.mark.long
def test_a_trial_serves_any_settings_and_ends_with_its_demo_website(tmp_path: Path) -> None:
    site, demo = ServedSite(tmp_path, DEBUG="1", SOCKET_DIR="/nowhere"), free_port()
    site.environment["WORKERS"] = "2"
    terminal = Terminal(site, "--trial", "--demo-port", str(demo))
    terminal.until_shown(f"The demo website with the chat is at http://localhost:{demo}/")
    wait_until(lambda: site.status(site.port) == 200, lambda: terminal.shown)
    assert site.status(demo, "/") == 200
    os.write(terminal.terminal, b"\x03")
    assert terminal.until_ended() == 0
    wait_until(lambda: site.status(demo, "/") == 0)
    terminal.close()
    assert site.status(site.port) == 0
    shown = [line.split("/accounts/setup/")[0] for line in terminal.shown.splitlines()]
    assert shown == [
        "Create the first administrator account with this link (valid once, for one day):",
        f"  {site.url}",
        f"Runnel is running at {site.url}/  (press Ctrl+C to stop it)",
        f"The demo website with the chat is at http://localhost:{demo}/",
        "^C",
    ]


@pytest.mark.long
def test_closing_the_terminal_ends_the_site(tmp_path: Path) -> None:
    site = ServedSite(tmp_path)
    site.prepare()
    terminal = Terminal(site)
    terminal.until_shown(READY)
    terminal.close()
    assert terminal.until_ended() in {0, 120}  # Python's, because its last lines can't be shown
    assert site.status(site.port) == 0
