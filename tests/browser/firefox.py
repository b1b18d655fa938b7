"""Find a Firefox that is installed; BROWSER=firefox runs the browser tests in it."""

import functools
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tests.support.missing_programs import require

NAMES = ("firefox-esr", "firefox")
#: Options of Playwright's that do nothing in an unchanged Firefox, or fail. It always runs scripts.
UNKNOWN = {"color_scheme", "forced_colors", "has_touch", "permissions", "reduced_motion"}
NO_SCRIPTS = ("java_script_enabled", False)
#: Methods that do nothing there, fail, or wait for ever.
SKIPPED: dict[str, tuple[type, str]] = {
    "emulate_media": (Page, "change colours"),
    "expect_file_chooser": (Page, "choose files"),
    "expect_websocket": (Page, "see web sockets"),
    "grant_permissions": (BrowserContext, "give permissions"),
}
CANNOT = "In Firefox, Playwright can't "
PREFERENCES = {
    # Keep the widget's frame in the process of its page: keys that BiDi presses go nowhere else.
    "fission.autostart": False,
    "fission.webContentIsolationStrategy": 0,
    # There is a mouse: without a screen, Firefox finds none.
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
}
ROOT = Path(__file__).resolve().parents[2]


def launch_firefox(playwright: Playwright, folder: Path) -> Browser:
    """Launch it from a script in `folder`, which runs tests/browser/firefox_bidi.py."""
    firefox = next(filter(None, map(shutil.which, NAMES)), None)
    require(firefox, "Firefox")
    script = folder / "firefox"
    command = shlex.join([sys.executable, "-m", "tests.browser.firefox_bidi", str(firefox)])
    script.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))}\nexec {command} "$@"\n')
    script.chmod(0o700)
    Browser.new_context = _skipping_unknown(Browser.new_context)  # type: ignore[method-assign]
    for name, (owner, what) in SKIPPED.items():
        setattr(owner, name, _skipping(getattr(owner, name), what))
    return playwright.firefox.launch(
        executable_path=script,
        channel="moz-firefox",
        env={**os.environ, "MOZ_CRASHREPORTER_DISABLE": "1"},
        firefox_user_prefs=PREFERENCES,
        timeout=0,  # a busy machine may need long
    )


def _skipping_unknown(function: Callable[..., Any]) -> Callable[..., Any]:
    """Skip tests that need what can't be chosen: firefox_bidi.py."""

    @functools.wraps(function)
    def skipping(self: object, **options: Any) -> Any:
        chosen = sorted(UNKNOWN & options.keys())
        chosen += [name for name, value in options.items() if (name, value) == NO_SCRIPTS]
        if chosen:
            pytest.skip(f"{CANNOT}choose {', '.join(chosen)}")
        return function(self, **options)

    return skipping


def _skipping(function: Callable[..., Any], what: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def skipping(*_args: object, **_options: object) -> None:
        pytest.skip(f"{CANNOT}{what}")

    return skipping


def needs_request_bodies(page: Page) -> None:
    """Skip the test in a Firefox, of which Playwright doesn't learn what is sent."""
    browser = page.context.browser
    if browser and browser.browser_type.name == "firefox":
        pytest.skip(f"{CANNOT}read what is sent")
