"""Take the screenshots of the README and docs: `make screenshots`."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chat_page import ChatPage
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.demo_website import MAKE_STAFF, demo_website
from tests.browser.server import ROOT, LiveSite, live_site

FOLDER = ROOT / "docs" / "screenshots"
PASSWORD = "correct horse battery"
EARLIER = ("How deep is a quiet river?", "Words for small streams", "/markdown")
MAX_BYTES = 170 * 1024

DESKTOP: dict[str, Any] = {"viewport": {"width": 1200, "height": 760}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 760},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


def asked(page: Page) -> None:
    _ask(page, "Why do rivers bend?")


def settings(page: Page) -> None:
    page.goto("/settings/")


def palette(page: Page) -> None:
    asked(page)
    page.keyboard.press("Control+k")
    page.locator("#palette [role=option]").first.wait_for()


PICTURES: dict[str, tuple[Callable[[Page], None], dict[str, Any]]] = {
    "chat": (asked, DESKTOP),
    "chat-dark": (asked, DESKTOP | {"color_scheme": "dark"}),
    "chat-phone": (asked, PHONE),
    "settings": (settings, DESKTOP),
    "palette": (palette, DESKTOP | {"color_scheme": "dark"}),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    found = find_chromium()
    with tempfile.TemporaryDirectory() as folder, live_site(Path(folder)) as site:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=found.path, args=list(FLAGS), env={**found.environment}
            )
            for name, (prepare, options) in PICTURES.items():
                _take(browser, site, name, prepare, options)
            _take_widget(browser, site)
            browser.close()


def _take(
    browser: Browser,
    site: LiveSite,
    name: str,
    prepare: Callable[[Page], None],
    options: dict[str, Any],
) -> None:
    """Take each screenshot as another member, who has a few chats."""
    email = f"{name}@example.org"
    site.make_member(email, PASSWORD)
    page = browser.new_context(base_url=site.url, **options).new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/chat/")
    for question in EARLIER:
        _ask(page, question)
        page.goto("/chat/")
    prepare(page)
    _keep(page, name)


def _take_widget(browser: Browser, site: LiveSite) -> None:
    """Take a screenshot of the widget on the demo website, as a visitor."""
    site.run(MAKE_STAFF)
    with demo_website(site) as origin:
        page = browser.new_context(**DESKTOP).new_page()
        page.goto(origin)
        with page.expect_event("frameattached") as attached:
            page.evaluate("Runnel.open()")
        frame = attached.value
        frame.locator("#message[enterkeyhint]").fill("Why do rivers bend?")
        frame.locator(".send-button").click()
        frame.locator(".answer[data-state=complete]").wait_for()
        page.mouse.click(8, 8)
        _keep(page, "widget")


def _keep(page: Page, name: str) -> None:
    file = FOLDER / f"{name}.png"
    page.screenshot(path=file, animations="disabled")
    page.context.close()
    size = file.stat().st_size
    if size > MAX_BYTES:
        raise SystemExit(f"{file.name} is too large for the repository: {size} bytes")


def _ask(page: Page, question: str) -> None:
    """Send with the button, because Enter does not send on phones."""
    chat = ChatPage(page)
    chat.composer.fill(question)
    chat.send_button.click()
    chat.last_text.wait_for()
    chat.wait_for_end()


if __name__ == "__main__":
    main()
