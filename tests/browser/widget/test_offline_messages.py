"""A message that is sent while the visitor is offline arrives once they are back."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.widget_page import WidgetPage

OFFLINE_MS = 8_000


def test_it_is_sent_by_itself_once_the_visitor_is_back(visit: Callable[..., WidgetPage]) -> None:
    widget = visit(watched=False)
    widget.open()
    widget.ask("/echo before")
    widget.page.context.set_offline(True)
    notice = widget.frame.locator("#offline")
    widget.send("/echo meanwhile")
    expect(notice).to_contain_text("Your draft is saved.")
    widget.page.wait_for_timeout(OFFLINE_MS)
    widget.page.context.set_offline(False)
    expect(notice).to_be_empty()
    expect(widget.last_text).to_contain_text("meanwhile")
    expect(widget.questions).to_have_text(["/echo before", "/echo meanwhile"])
