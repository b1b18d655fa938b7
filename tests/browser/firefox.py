"""Find a Firefox that is installed; BROWSER=firefox runs the browser tests in it."""

import functools
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tests.support.missing_programs import require

NAMES = ("firefox-esr", "firefox")
#: Options of Playwright's that do nothing in an unchanged Firefox: one with these preferences is the same.
PREFERENCES_OF: dict[tuple[str, Any], dict[str, int]] = {
    ("color_scheme", "dark"): {"layout.css.prefers-color-scheme.content-override": 0},
    ("color_scheme", "light"): {"layout.css.prefers-color-scheme.content-override": 1},
    ("reduced_motion", "reduce"): {"ui.prefersReducedMotion": 1},
    ("reduced_motion", "no-preference"): {"ui.prefersReducedMotion": 0},
    ("forced_colors", "active"): {"browser.display.document_color_use": 2},
    ("has_touch", True): {
        "dom.w3c_touch_events.enabled": 1,
        "ui.primaryPointerCapabilities": 1,  # coarse
        "ui.allPointerCapabilities": 1,
    },
}
PREFERENCES = {
    # Keep the widget's frame in the process of its page: keys that BiDi presses go nowhere else.
    "fission.autostart": False,
    "fission.webContentIsolationStrategy": 0,
    # There is a mouse: without a screen, Firefox finds none.
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
}
ROOT = Path(__file__).resolve().parents[2]
DO_NOTHING = {"color_scheme", "reduced_motion", "forced_colors"}
#: Methods of a page that do nothing there, or wait for ever.
SKIPPED = {"emulate_media": "change colours", "expect_file_chooser": "choose files"}
CANNOT = "In Firefox, Playwright can't "


@contextmanager
def launched_firefox(playwright: Playwright, folder: Path) -> Iterator[Browser]:
    """Launch it from a script in `folder`, and others when a test asks for what they prefer."""
    firefox = next(filter(None, map(shutil.which, NAMES)), None)
    require(firefox, "Firefox")
    script = folder / "firefox"
    command = shlex.join([sys.executable, "-m", "tests.browser.firefox_bidi", str(firefox)])
    script.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))}\nexec {command} "$@"\n')
    script.chmod(0o700)
    with ExitStack() as launched:

        @functools.cache
        def launch(preferences: frozenset[tuple[str, int]]) -> Browser:
            browser = playwright.firefox.launch(
                executable_path=script,
                channel="moz-firefox",
                env={**os.environ, "MOZ_CRASHREPORTER_DISABLE": "1"},
                firefox_user_prefs=PREFERENCES | dict(preferences),
                timeout=0,  # a busy machine may need long
            )
            launched.callback(browser.close)
            return browser

        _replace_methods(launch)
        yield launch(frozenset())


def _replace_methods(launch: Callable[[frozenset[tuple[str, int]]], Browser]) -> None:
    """Open contexts in the Firefox that fits, and skip tests that need what none can do."""
    new_context = Browser.new_context

    @functools.wraps(new_context)
    def new_fitting_context(_browser: Browser, **options: Any) -> BrowserContext:
        if options.get("java_script_enabled") is False:
            pytest.skip(f"{CANNOT}turn scripts off")
        if "permissions" in options:
            pytest.skip(f"{CANNOT}give permissions")
        preferences: dict[str, int] = {}
        for name in {name for name, _ in PREFERENCES_OF} & options.keys():
            preferences |= PREFERENCES_OF.get((name, options[name]), {})
        kept = {name: each for name, each in options.items() if name not in DO_NOTHING}
        return new_context(launch(frozenset(preferences.items())), **kept)

    Browser.new_context = new_fitting_context  # type: ignore[method-assign]
    for name, what in SKIPPED.items():
        setattr(Page, name, _skipping(getattr(Page, name), what))


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
