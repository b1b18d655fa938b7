"""Take pictures of all screens, to look at: `python -m tests.browser.gallery [FOLDER] [WORD ...]`.

Each is taken on a desktop, on a phone, in the dark and in Arabic, into `build/gallery` unless another
folder is given, which isn't committed. With words, only screens whose name contains one are taken.
"""

import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from tests.browser.chromium import launch_chromium
from tests.browser.conftest import sign_in
from tests.browser.server import ROOT, live_site
from tests.support.browser.every_page import PERSON, give_reason, page_paths, write_pages

FOLDER = ROOT / "build" / "gallery"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": DESKTOP,
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "dark": DESKTOP | {"color_scheme": "dark"},
    "arabic": DESKTOP | {"locale": "ar"},
}
STRANGERS = ("accounts/login/", "accounts/signup/", "accounts/password/reset/", "nowhere/")


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else FOLDER
    words = arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, live_site(Path(place)) as site:
        state = sign_in(site, PERSON)
        written = write_pages(site)[0]
        paths = page_paths(site, written)
        with sync_playwright() as playwright:
            browser = launch_chromium(playwright)
            for look, options in LOOKS.items():
                context = {"base_url": site.url, **options}
                stranger = browser.new_context(**context).new_page()
                _take_all(stranger, STRANGERS, folder / look, words)
                page = browser.new_context(storage_state=state, **context).new_page()
                page.goto(f"/review/{written['conversation_id']}/")
                give_reason(page)
                _take_all(page, paths, folder / look, words)
                _take_answer(page, folder / look)
            browser.close()


def _take_all(page: Page, paths: Iterable[str], folder: Path, words: list[str]) -> None:
    for path in paths:
        if not words or any(word in path for word in words):
            _take(page, path, folder)


def _take_answer(page: Page, folder: Path) -> None:
    page.goto("/chat/")
    page.locator("#message[enterkeyhint]").fill("/markdown")
    page.locator(".send-button").click()
    page.locator(".answer[data-state=complete]").wait_for()
    _keep(page, folder / "answer.png")


def _take(page: Page, path: str, folder: Path) -> None:
    """Open a page and keep a picture, unless it is a file or only posted to."""
    answer = page.request.get(f"/{path}")
    if "text/html" not in answer.headers.get("content-type", "") or answer.status >= 500:
        return
    if answer.status == 405:
        return
    try:
        page.goto(f"/{path}")
    except Error:  # a download
        return
    page.wait_for_load_state("networkidle")
    _keep(page, folder / (re.sub(r"\W+", "-", path).strip("-") + ".png"))


def _keep(page: Page, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    is_chat = page.locator("#composer").count() > 0  # what is fixed would cover its middle
    page.screenshot(path=file, animations="disabled", full_page=not is_chat)


if __name__ == "__main__":
    main(sys.argv[1:])
