"""Find a Chromium: the machine's own, or the one from an npm package.

CHROMIUM=installed or CHROMIUM=npm asks for one of them. CI runs the tests in both.
"""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Playwright

from tests.support.missing_programs import is_ci

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
)


class Chromium(NamedTuple):
    path: str
    environment: dict[str, str]


def launch_chromium(playwright: Playwright) -> Browser:
    found = find_chromium()
    return playwright.chromium.launch(
        executable_path=found.path, args=list(FLAGS), env={**found.environment}
    )


def require_chromium(page: Page, what: str) -> None:
    """Skip the test in another browser; `what` is what it needs."""
    browser = page.context.browser
    if not browser or browser.browser_type.name != "chromium":
        pytest.skip(f"This needs {what}")


def devtools(page: Page) -> CDPSession:
    """Return a session of the protocol that only Chromium speaks; in another browser, skip the test."""
    require_chromium(page, "Chromium's DevTools protocol")
    return page.context.new_cdp_session(page)


def find_chromium() -> Chromium:
    wanted = os.environ.get("CHROMIUM") or ("installed" if is_ci() else "")
    if wanted not in ("", "installed", "npm"):
        pytest.fail(f"CHROMIUM is {wanted!r}; it can be 'installed' or 'npm'.")
    installed = next(filter(None, map(shutil.which, NAMES)), None)
    if installed and wanted != "npm":
        return Chromium(installed, dict(os.environ))
    if wanted == "installed":
        pytest.fail(f"None of {', '.join(NAMES)} is on PATH.")
    return _from_npm()


def _from_npm() -> Chromium:
    if not (ROOT / "node_modules/@sparticuz/chromium").is_dir():
        pytest.fail("There is no Chromium in node_modules; run `make setup`.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test processes may begin at once
        (path,) = _unpack()
        if not _lacks_libraries(path):
            return Chromium(path, dict(os.environ))
        path, libraries = _unpack("--libraries")
        return Chromium(path, os.environ | {"LD_LIBRARY_PATH": libraries})


def _unpack(*arguments: str) -> list[str]:
    node = shutil.which("node") or str(ROOT / ".venv/bin/node")
    script = Path(__file__).with_name("unpack_chromium.mjs")
    done = subprocess.run(
        [node, str(script), *arguments],
        env=os.environ | {"TMPDIR": str(FOLDER)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def _lacks_libraries(path: str) -> bool:
    return "not found" in subprocess.run(["ldd", path], capture_output=True, text=True).stdout
