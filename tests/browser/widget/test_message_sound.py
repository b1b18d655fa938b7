"""A short sound for messages that arrive while the chat is closed, if the site's owner offers it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage, make_site

#: Counts in `sounds` the contexts that played, without a sound device. `allowed` is the browser's policy.
COUNT = """
window.sounds = 0;
window.allowed = true;
window.AudioContext = class {
  state = "suspended";
  currentTime = 0;
  destination = {};
  async resume() { if (allowed) { this.state = "running"; sounds++; } else await new Promise(() => {}); }
  async close() {}
};
window.GainNode = class {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  connect(next) { return next; }
};
window.OscillatorNode = class {
  connect(next) { return next; }
  start() {}
  stop() { this.onended?.(); }
};
"""
LONG = "/long 500 100"  # takes five seconds


@pytest.fixture
def loud(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> Callable[[bool], WidgetPage]:
    def loud(offers: bool) -> WidgetPage:
        host.carry(site.url, make_site(site, host, look={"sound": True} if offers else None))
        widget = visit()
        widget.page.context.add_init_script(COUNT)
        widget.page.reload()
        widget.open()
        return widget

    return loud


def sounds(widget: WidgetPage) -> int:
    found: int = widget.page.frames[1].evaluate("sounds")
    return found


def ask_and_close(widget: WidgetPage, text: str) -> None:
    """Ask, and close the chat before the answer ends."""
    widget.send(text)
    widget.launcher.first.click()
    expect(widget.launcher.first).to_have_accessible_name("Chat (1)")


def test_an_answer_to_a_closed_chat_makes_a_sound_unless_muted(
    loud: Callable[[bool], WidgetPage],
) -> None:
    widget = loud(True)
    button = widget.frame.get_by_role("button", name="Sound for new messages")
    expect(button).to_have_attribute("aria-pressed", "true")
    widget.ask("Hello")
    assert sounds(widget) == 0
    ask_and_close(widget, LONG)
    widget.page.frames[1].wait_for_function("sounds === 1")
    widget.launcher.first.click()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    ask_and_close(widget, LONG)
    assert sounds(widget) == 1
    widget.page.reload()
    widget.launcher.first.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_browser_that_allows_no_sound_gets_no_error(
    loud: Callable[[bool], WidgetPage],
) -> None:
    widget = loud(True)
    widget.page.frames[1].evaluate("allowed = false")
    ask_and_close(widget, LONG)
    assert sounds(widget) == 0


def test_there_is_no_sound_unless_the_owner_offers_it(loud: Callable[[bool], WidgetPage]) -> None:
    widget = loud(False)
    expect(widget.frame.get_by_role("button", name="Sound for new messages")).to_have_count(0)
    ask_and_close(widget, LONG)
    assert sounds(widget) == 0
