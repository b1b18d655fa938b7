"""Takes the pictures of README and docs from real pages: `make screenshots`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chat_page import ChatPage
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.server import ROOT, LiveSite, live_site

FOLDER = ROOT / "docs" / "screenshots"
EMAIL, PASSWORD = "alice@example.org", "correct horse battery"
PICTURES = {
    "chat": {"viewport": {"width": 1200, "height": 760}},
    "chat-dark": {"viewport": {"width": 1200, "height": 760}, "color_scheme": "dark"},
    "chat-phone": {"viewport": {"width": 390, "height": 760}, "device_scale_factor": 2},
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    found = find_chromium()
    with tempfile.TemporaryDirectory() as folder, live_site(Path(folder)) as site:
        site.make_member(EMAIL, PASSWORD)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=found.path, args=list(FLAGS), env={**found.environment}
            )
            for name, options in PICTURES.items():
                _take(browser, site, name, options)
            browser.close()


def _take(browser: Browser, site: LiveSite, name: str, options: dict[str, object]) -> None:
    page = browser.new_context(base_url=site.url, **options).new_page()  # type: ignore[arg-type]
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/chat/")
    chat = ChatPage(page)
    chat.ask("Why do rivers bend?")
    page.screenshot(path=FOLDER / f"{name}.png")
    page.context.close()


if __name__ == "__main__":
    main()
