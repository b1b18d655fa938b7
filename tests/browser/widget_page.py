"""Use the widget on a website in a browser."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite

PATIENCE_MS = 240_000
MAKE_SITE = """
from chat.accounts.models import User
from chat.widget_sites.models import WidgetSite
owner, _new = User.objects.get_or_create(email="keeper-of-the-canoes@example.org")
print(WidgetSite.objects.create(owner=owner, **{fields!r}).key)
"""
#: Collects the events that the page receives in `heard`.
EVENTS = """
window.heard = [];
for (const name of ["loaded", "ready", "open", "close", "message", "unread", "error", "identified"]) {
  Runnel.on(name, (detail) => heard.push([name, detail]));
}
null;
"""  # null, because Playwright would call the function that the last statement returns


def make_site(site: LiveSite, host: HostSite, **fields: Any) -> str:
    """Create a site of alice's that `host` may show, and return its key."""
    usual = {
        "name": "Canoes",
        "origins": [host.origin],
        "welcome": "What would you like to know?",
        "starters": ["What does a day cost?"],
    }
    return site.run(MAKE_SITE.format(fields=usual | fields))


class WidgetPage:
    """A page with the widget. Its shadow root is open for tests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.launcher = page.locator("runnel-chat button")
        self.iframe = page.locator("runnel-chat iframe")
        self.frame = page.frame_locator("runnel-chat iframe")
        self.composer = self.frame.get_by_role("textbox", name="Message")
        self.stop_button = self.frame.get_by_role("button", name="Stop the answer")
        self.questions = self.frame.locator(".question > .message-text")
        self.answers = self.frame.locator(".answer")
        self.hint = self.frame.locator("#hint")
        self.announcement = self.frame.locator("#announcer")

    def open(self) -> None:
        self.launcher.click()
        self.wait_until_usable()

    def wait_until_usable(self) -> None:
        self.frame.locator("#message[enterkeyhint]").wait_for()

    @property
    def last_text(self) -> Locator:
        return self.answers.last.locator("> .message-text.formatted")

    def send(self, text: str) -> None:
        count = self.questions.count()
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.questions).to_have_count(count + 1)

    def ask(self, text: str) -> str:
        self.send(text)
        return self.wait_for_end()

    def wait_for_end(self) -> str:
        expect(self.stop_button).to_have_count(0, timeout=PATIENCE_MS)
        return self.last_text.text_content() or ""
