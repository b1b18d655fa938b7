"""Measure pasting a long text into the message box, and typing after it."""

from playwright.sync_api import Browser, BrowserContext

from benchmarks.page.browser import traced
from benchmarks.page.limits import Limits
from tests.browser.chat_page import ChatPage

LENGTH = 100 * 1024
TEXTS = {"lines": "All rivers run into the sea.\n", "one line": "All rivers run into the sea. "}


def pasting(browser: Browser, context: BrowserContext, limits: Limits) -> None:
    print("\nPasting 100 KB, then a key")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, text in TEXTS.items():
        page = context.new_page()
        page.goto("/chat/")
        chat = ChatPage(page)
        page.evaluate("text => navigator.clipboard.writeText(text)", text * (LENGTH // len(text)))
        for what, key, most in (("pasting", "Control+v", 100), ("a key after it", "a", 50)):
            with traced(browser, page) as tasks:
                chat.composer.press(key)
                page.wait_for_timeout(500)
            limits.check(f"{what} ({name}), longest task, ms", max(tasks), most)
        chat.composer.fill("")
        page.close()
