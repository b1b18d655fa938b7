"""Messages that appear beside the button of a closed chat, by the rules of the site's owner."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage, make_site
from tests.support.browser.accessibility import axe
from tests.support.browser.picture import picture

LAST_QUESTION = """
from chat.conversations.models import Message
print(Message.objects.filter(role="user").order_by("id").last().page_context)
"""
HELP = {"text": "Need help?", "texts": {"de": "Hilfe gefällig?"}}
TALL = "document.body.style.minHeight = '4000px'; null"


@pytest.fixture
def say(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> Callable[..., WidgetPage]:
    """Open a page of a website whose owner has written messages, with a clock that the test moves."""

    def say(*messages: dict[str, Any], site_fields: Any = None, **options: Any) -> WidgetPage:
        key = make_site(site, host, look={"messages": list(messages)}, **(site_fields or {}))
        host.carry(site.url, key)
        widget = visit(**options)
        widget.page.clock.install()
        widget.page.reload()
        widget.launcher.first.wait_for()
        return widget

    return say


def bubble(widget: WidgetPage) -> Locator:
    return widget.page.locator("runnel-chat section")


def after(widget: WidgetPage, seconds: int) -> Locator:
    widget.page.clock.run_for(seconds * 1000)
    return bubble(widget)


def test_a_message_opens_the_chat_as_its_greeting_and_goes_with_the_question(
    say: Callable[..., WidgetPage], site: LiveSite
) -> None:
    widget = say(HELP)
    asked: list[str] = []
    widget.page.on("request", lambda request: asked.append(request.url))
    shown = after(widget, 2)
    expect(shown).to_have_role("status")
    expect(shown.get_by_role("button", name="Need help?")).to_be_visible()
    assert asked == []
    picture(widget.page, "bubble")
    widget.page.clock.resume()
    shown.get_by_role("button", name="Need help?").click()
    widget.wait_until_usable()
    expect(shown).to_be_hidden()
    expect(widget.frame.locator(".welcome")).to_have_text("Need help?")
    expect(widget.questions).to_have_count(0)
    widget.ask("Yes")
    stored = site.run(LAST_QUESTION)
    greeted = '{"page":{"message shown before the question":"Need help?"},"address":'
    assert stored.startswith(greeted)
    widget.frame.get_by_role("button", name="New chat").click()
    expect(widget.frame.locator(".welcome")).to_have_text("What would you like to know?")
    widget.ask("Hello")
    assert "Need help?" not in site.run(LAST_QUESTION)


def test_a_dismissed_message_does_not_come_back(say: Callable[..., WidgetPage]) -> None:
    widget = say(HELP, {"text": "Something else?", "path": "/prices*"})
    after(widget, 2).get_by_role("button", name="Close").click()
    expect(bubble(widget)).to_be_hidden()
    expect(widget.launcher.first).to_be_focused()
    widget.page.reload()
    expect(after(widget, 9)).to_be_hidden()
    widget.page.goto(f"{widget.page.url.split('/?')[0].rstrip('/')}/prices")
    expect(after(widget, 2)).to_contain_text("Something else?")


def test_no_message_comes_to_who_has_opened_the_chat_in_this_tab(
    say: Callable[..., WidgetPage],
) -> None:
    widget = say(HELP)
    widget.page.clock.resume()
    widget.open()
    widget.launcher.first.click()
    expect(widget.iframe).to_be_hidden()
    widget.page.clock.install()
    widget.page.reload()
    widget.launcher.first.wait_for()
    expect(after(widget, 9)).to_be_hidden()


def test_conditions_hold_together_and_the_first_message_counts(
    say: Callable[..., WidgetPage],
) -> None:
    widget = say(
        {"text": "Never", "path": "/elsewhere"},
        {"text": "Deep", "seconds": 5, "scrolled": 60},
        {"text": "Late", "seconds": 8},
    )
    widget.page.evaluate(TALL)
    expect(after(widget, 4)).to_be_hidden()
    widget.page.evaluate("scrollTo(0, 3000)")
    expect(after(widget, 2)).to_contain_text("Deep")
    widget.page.evaluate("scrollTo(0, 0)")
    expect(after(widget, 5)).to_contain_text("Deep")


def test_a_single_page_app_counts_anew_on_each_of_its_pages(
    say: Callable[..., WidgetPage],
) -> None:
    widget = say({"text": "Need a hand?", "path": "/cart/*", "seconds": 3})
    expect(after(widget, 5)).to_be_hidden()
    widget.page.evaluate("history.pushState(null, '', '/cart/7')")
    expect(after(widget, 2)).to_be_hidden()
    expect(after(widget, 2)).to_contain_text("Need a hand?")
    widget.page.evaluate("history.pushState(null, '', '/other')")
    expect(after(widget, 2)).to_be_hidden()


def test_a_message_for_returning_visitors_waits_for_the_next_visit(
    say: Callable[..., WidgetPage], host: HostSite
) -> None:
    widget = say({"text": "Welcome back", "returning": True})
    expect(after(widget, 5)).to_be_hidden()
    widget.page.reload()
    expect(after(widget, 5)).to_be_hidden()
    tab = WidgetPage(widget.page.context.new_page())
    tab.page.clock.install()
    tab.page.goto(host.origin)
    tab.launcher.first.wait_for()
    expect(after(tab, 2)).to_contain_text("Welcome back")


def test_before_consent_nothing_is_shown_or_stored(say: Callable[..., WidgetPage]) -> None:
    consent = {"consent": "We store your chats."}
    widget = say(HELP, {"text": "Again", "returning": True}, site_fields=consent)
    expect(after(widget, 9)).to_be_hidden()
    assert widget.page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    widget.page.clock.resume()
    widget.launcher.first.click()
    widget.frame.get_by_role("button", name="I agree").click()
    expect(widget.composer).to_be_visible()
    widget.page.wait_for_function("localStorage.getItem('runnel-agreed') === '1'")
    widget.page.evaluate("sessionStorage.clear()")  # as in another tab, later
    widget.page.reload()
    expect(bubble(widget)).to_contain_text("Need help?")
    widget.page.evaluate("Runnel.shutdown()")
    widget.page.wait_for_function("localStorage.getItem('runnel-agreed') === null")


def test_a_page_that_hides_the_button_gets_no_message(say: Callable[..., WidgetPage]) -> None:
    widget = say(HELP)
    widget.page.evaluate("Runnel.hideLauncher()")
    expect(after(widget, 5)).to_be_hidden()
    widget.page.evaluate("Runnel.hideLauncher(false)")
    expect(after(widget, 2)).to_be_visible()
    widget.page.evaluate("Runnel.destroy()")
    expect(after(widget, 2)).to_have_count(0)


def test_another_language_changes_the_message(say: Callable[..., WidgetPage]) -> None:
    widget = say(HELP)
    expect(after(widget, 2)).to_contain_text("Need help?")
    widget.page.evaluate("Runnel.setLanguage('de')")
    expect(widget.page.locator("runnel-chat section")).to_have_count(1)
    widget.page.clock.resume()
    expect(bubble(widget)).to_contain_text("Hilfe gefällig?")


def test_blocked_storage_hides_no_message(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    key = make_site(site, host, look={"messages": [HELP]})
    host.carry(site.url, key)
    widget = visit()
    widget.page.add_init_script(
        """for (const name of ["sessionStorage", "localStorage"])
          Object.defineProperty(window, name, { get() { throw new DOMException("", "SecurityError") } });"""
    )
    widget.page.reload()
    bubble(widget).get_by_role("button", name="Close").click()
    expect(bubble(widget)).to_be_hidden()


@pytest.mark.parametrize(
    "options",
    [{"color_scheme": "dark"}, {"viewport": {"width": 320, "height": 320}, "locale": "ar"}],
)
def test_the_message_is_accessible_and_fits_the_window(
    say: Callable[..., WidgetPage], options: dict[str, Any]
) -> None:
    widget = say({"text": "Looking for a canoe? " * 14}, watched=False, bypass_csp=True, **options)
    shown = after(widget, 2)
    expect(shown).to_be_visible()
    box = shown.bounding_box()
    size = widget.page.viewport_size
    assert box
    assert size
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert axe(widget.page) == []
    picture(widget.page, f"bubble-{len(options)}")
