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
from playwright.sync_api import Browser, Page, Playwright

NAMES = ("firefox-esr", "firefox")
#: Options of Playwright's that do nothing in an unchanged Firefox, or fail. It always runs scripts.
UNKNOWN = {"color_scheme", "forced_colors", "media", "permissions", "reduced_motion"}
NO_SCRIPTS = ("java_script_enabled", False)
#: Keep the widget's frame in the process of its page: keys that WebDriver BiDi presses go nowhere else.
PREFERENCES = {"fission.autostart": False, "fission.webContentIsolationStrategy": 0}
ROOT = Path(__file__).resolve().parents[2]


def launch_firefox(playwright: Playwright, folder: Path) -> Browser:
    """Launch it from a script in `folder`, which runs tests/browser/firefox_bidi.py."""
    firefox = next(filter(None, map(shutil.which, NAMES)), None)
    if not firefox:
        pytest.fail(f"None of {', '.join(NAMES)} is on PATH.")
    script = folder / "firefox"
    command = shlex.join([sys.executable, "-m", "tests.browser.firefox_bidi", firefox])
    script.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))}\nexec {command} "$@"\n')
    script.chmod(0o700)
    for owner, name in ((Browser, "new_context"), (Page, "emulate_media")):
        setattr(owner, name, _skipping_unknown(getattr(owner, name)))
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
            pytest.skip(f"In Firefox, Playwright can't choose {', '.join(chosen)}")
        return function(self, **options)

    return skipping
