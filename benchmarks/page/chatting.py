"""Measure the chat page during a long answer, on a machine throttled to a quarter."""

from playwright.sync_api import Browser, BrowserContext, expect

from benchmarks.page.browser import traced
from benchmarks.page.limits import Limits
from tests.browser.chat_page import ChatPage

TOKENS = 16_000
RATE = 200
SLOWER = 4


def chatting(browser: Browser, context: BrowserContext, limits: Limits) -> None:
    print(f"\n{TOKENS} tokens from the server, {RATE} a second, CPU throttled to 1/{SLOWER}")
    page = context.new_page()
    page.goto("/chat/")
    chat = ChatPage(page)
    chat.ask("Hello")  # loads the modules that come on demand
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    with traced(browser, page) as tasks:
        chat.send(f"/long {TOKENS}")
        expect(chat.stop_button).to_have_count(0, timeout=10 * TOKENS / RATE * 1000)
        page.wait_for_timeout(2_000)  # code highlighting and other late work
    length = len(chat.last_text.text_content() or "")
    print(
        f"  {length} characters; the longest tasks: {[round(each) for each in sorted(tasks)[-5:]]}"
    )
    limits.check("longest task, throttled, ms", max(tasks), 50)
    page.close()
