"""A visitor's chat on a website: reloads, earlier conversations, identification, shutdown."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import devtools
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import EVENTS, WidgetPage, make_site
from tests.support.widget.identity_tokens import signer


def test_an_answer_continues_when_the_website_is_reloaded(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.send("/long 3000")
    widget.frame.locator(".answer[data-text]").wait_for()
    widget.page.reload()
    widget.wait_until_usable()  # it was open, so it is again
    expect(widget.composer).not_to_be_focused()
    expect(widget.questions).to_have_count(1)
    assert len(widget.wait_for_end()) > 3000
    expect(widget.answers).to_have_count(1)


@pytest.mark.quick
def test_the_chat_works_where_third_party_cookies_are_blocked(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    session = devtools(widget.page)
    session.send("Network.enable")
    session.send(
        "Network.setCookieControls",
        {
            "enableThirdPartyCookieRestriction": True,
            "disableThirdPartyCookieMetadata": True,
            "disableThirdPartyCookieHeuristics": True,
        },
    )
    widget.page.reload()
    widget.open()
    assert widget.ask("/echo still here")
    widget.composer.fill("A draft")
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.questions).to_have_text(["/echo still here"])
    expect(widget.composer).to_have_value("A draft")


def test_an_answer_that_ends_while_the_chat_is_closed_counts_as_unread(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.page.evaluate(EVENTS)
    widget.open()
    widget.send("/long 600 100")
    widget.frame.get_by_role("button", name="Close").click()
    expect(widget.launcher).to_have_accessible_name("Chat (1)")
    widget.page.evaluate("Runnel.toggle()")
    expect(widget.launcher).to_have_accessible_name("Chat")
    heard = widget.page.evaluate("heard")
    names = [name for name, _ in heard if name != "message"]
    assert names == ["loaded", "open", "ready", "close", "unread", "unread", "open"]
    assert [detail for name, detail in heard if name == "unread"] == [{"count": 1}, {"count": 0}]
    said = [detail for name, detail in heard if name == "message"]
    assert said == [{"role": "user"}, {"role": "assistant"}]


def test_a_visitor_opens_an_earlier_conversation_and_starts_another(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.ask("First things first")
    widget.frame.get_by_role("button", name="New chat").click()
    expect(widget.questions).to_have_count(0)
    widget.frame.get_by_role("button", name="What does a day cost?").click()
    widget.wait_for_end()
    widget.frame.get_by_role("button", name="Earlier chats").click()
    entries = widget.frame.locator("#history li")
    expect(entries).to_have_count(2)
    expect(entries.first.locator("button")).to_have_attribute("aria-current", "true")
    entries.filter(has_text="First things first").get_by_role("button").click()
    expect(widget.questions).to_have_text(["First things first"])


def test_nothing_can_be_sent_before_consent(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    host.carry(site.url, make_site(site, host, consent="It goes to a model."))
    widget = visit()
    widget.launcher.click()
    expect(widget.frame.get_by_text("It goes to a model.")).to_be_visible()
    expect(widget.composer).to_be_hidden()
    widget.frame.get_by_role("button", name="I agree").click()
    expect(widget.composer).to_be_focused()
    assert widget.ask("Agreed")
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.composer).to_be_visible()
    expect(widget.questions).to_have_count(1)
    widget.page.evaluate("Runnel.shutdown()")
    widget.launcher.click()
    expect(widget.frame.get_by_text("It goes to a model.")).to_be_visible()
    expect(widget.questions).to_have_count(0)
    expect(widget.composer).to_be_hidden()


def test_after_a_shutdown_the_next_visitor_sees_nothing(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.ask("A secret")
    widget.page.evaluate("Runnel.shutdown()")
    expect(widget.iframe).to_be_hidden()
    widget.page.reload()
    widget.open()
    expect(widget.questions).to_have_count(0)
    widget.frame.get_by_role("button", name="Earlier chats").click()
    expect(widget.frame.get_by_text("No chats yet.")).to_be_visible()


def test_an_identified_user_finds_their_conversations_on_any_device(
    visit: Callable[..., WidgetPage], site: LiveSite, site_key: str
) -> None:
    name = signer(site, site_key)
    first = visit()
    first.open()
    first.ask("Do I need a paddle?")
    identified = "new Promise((tell) => { Runnel.on('identified', tell); Runnel.identify(jwt); })"
    assert first.page.evaluate(f"jwt => {identified}", name("customer-7")) == {}
    first.page.evaluate("jwt => Runnel.identify(() => Promise.resolve(jwt))", name("customer-7"))
    expect(first.questions).to_have_text(["Do I need a paddle?"])
    second = visit()
    second.page.evaluate("jwt => Runnel.identify(jwt)", name("customer-7"))
    second.open()
    expect(second.questions).to_have_text(["Do I need a paddle?"])
    second.frame.get_by_role("button", name="New chat").click()
    second.ask("And a vest?")
    second.frame.get_by_role("button", name="Earlier chats").click()
    expect(second.frame.locator("#history li")).to_have_count(2)
    second.page.keyboard.press("Escape")
    second.page.evaluate("jwt => Runnel.identify(jwt)", name("customer-8"))
    expect(second.questions).to_have_count(0)
    failure = (
        "jwt => new Promise((failed) => { Runnel.on('error', failed); Runnel.identify(jwt); })"
    )
    assert second.page.evaluate(failure, "not one")["code"] == "invalid_identity_token"
