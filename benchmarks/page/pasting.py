"""Measure pasting a long text into the message box, ours and a plain one, and typing after it."""

from playwright.sync_api import Browser, BrowserContext, Locator, Page

from benchmarks.page.limits import Limits
from benchmarks.page.reference import ADDRESS, longest_tasks, reference_page
from tests.browser.chat_page import ChatPage

LENGTH = 100 * 1024
TEXTS = {"lines": "All rivers run into the sea.\n", "one line": "All rivers run into the sea. "}


#: How many times as long as in a plain text area.
MAX_TIMES = {"pasting": 4.0, "a key after it": 6.0}


def pasting(browser: Browser, context: BrowserContext, limits: Limits) -> None:
    print("\nPasting 100 KB, then a key")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, text in TEXTS.items():
        with reference_page(context) as plain:
            plain.goto(ADDRESS)
            usual = _paste(browser, plain, plain.locator("#message"), text)
        page = context.new_page()
        page.goto("/chat/")
        chat = ChatPage(page)
        ours = _paste(browser, page, chat.composer, text)
        for (what, most), took, reference in zip(MAX_TIMES.items(), ours, usual, strict=True):
            limits.check_time(f"{what} ({name}), longest task", took, reference, most)
        chat.composer.fill("")
        page.close()


def _paste(browser: Browser, page: Page, box: Locator, text: str) -> list[float]:
    page.evaluate("text => navigator.clipboard.writeText(text)", text * (LENGTH // len(text)))
    return longest_tasks(browser, page, box, ["Control+v", "a"])
