"""The widget on a strict website of another origin."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import EVENTS, WidgetPage, make_site
from tests.support.browser.accessibility import axe

PHONE = {"width": 390, "height": 800}


@pytest.mark.quick
def test_before_the_first_click_there_are_two_small_scripts_and_no_cookie(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    asked: list[str] = []
    widget = visit(viewport=PHONE)
    widget.page.on("request", lambda request: asked.append(request.url))
    widget.page.reload()
    expect(widget.launcher).to_have_accessible_name("Chat")
    widget.page.wait_for_load_state("networkidle")
    ours = {urlsplit(each).path.rpartition("/")[2] for each in asked if each.startswith(site.url)}
    assert ours <= {"w.js", "look.js"}  # the browser may have them
    assert widget.page.context.cookies() == []
    expect(widget.iframe).to_have_count(0)


@pytest.mark.firefox
@pytest.mark.quick
def test_a_visitor_gets_an_answer_on_a_strict_page_announced_once(
    visit: Callable[..., WidgetPage], host: HostSite
) -> None:
    host.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    widget = visit()
    widget.open()
    expect(widget.composer).to_be_focused()
    expect(widget.frame.locator(".welcome")).to_have_text("What would you like to know?")
    answer = widget.ask("Where does the river bend?")
    assert len(answer) > 20
    said = widget.announcement.locator("p")
    expect(said.last).to_have_text("Answer complete.")
    assert sum(answer[:20] in each for each in said.all_text_contents()) == 1
    thumb = widget.frame.get_by_role("button", name="Good answer")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    expect(widget.hint).to_have_text("Thanks for your feedback.")
    widget.frame.get_by_role("button", name="Bad answer").click()
    expect(widget.frame.locator("#why-card").get_by_label("Inaccurate")).to_be_focused()


def test_escape_closes_the_chat_and_restores_the_focus(visit: Callable[..., WidgetPage]) -> None:
    widget = visit()
    widget.launcher.focus()
    widget.page.keyboard.press("Enter")
    widget.wait_until_usable()
    expect(widget.composer).to_be_focused()
    expect(widget.launcher).to_have_attribute("aria-expanded", "true")
    widget.page.keyboard.press("Escape")
    expect(widget.iframe).to_be_hidden()
    expect(widget.launcher).to_be_focused()
    expect(widget.launcher).to_have_attribute("aria-expanded", "false")


@pytest.mark.quick
def test_a_website_that_is_not_listed_shows_nothing(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    host.carry(site.url, make_site(site, host, origins=["https://elsewhere.example"]))
    widget = visit(watched=False)
    failure = "new Promise((failed) => { Runnel.on('error', failed); Runnel.open(); })"
    assert widget.page.evaluate(failure) == {"code": "refused"}
    expect(widget.page.locator("runnel-chat")).to_have_count(0)


#: As tag managers do: a script element that has only an address.
INSERT = """(address) => document.body.append(
  Object.assign(document.createElement("script"), { async: true, src: address }))"""


def test_a_tag_without_attributes_has_the_key_in_its_address(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite, site_key: str
) -> None:
    host.body = re.sub(r"<script.*?</script>", "", host.body)
    host.headers = {}  # Trusted Types would refuse what tag managers do
    page = visit(watched=False).page
    with page.expect_console_message(lambda said: said.text == "Runnel: no data-site"):
        page.evaluate(INSERT, f"{site.url}/w.js")
    page.evaluate(INSERT, f"{site.url}/w.js?site={site_key}")
    expect(page.locator("runnel-chat")).to_have_count(1)
    page.evaluate("new Promise((ready) => { Runnel.on('ready', ready); Runnel.open(); })")


def test_messages_from_other_windows_are_ignored(visit: Callable[..., WidgetPage]) -> None:
    """The loader accepts a greeting only if both its window and its origin are the frame's."""
    widget = visit()
    widget.open()
    widget.page.evaluate(EVENTS)
    widget.page.evaluate(
        """() => {
          const frame = document.querySelector("runnel-chat").shadowRoot.querySelector("iframe");
          const hello = { runnel: 1, type: "hello" };
          const source = frame.contentWindow;
          const origin = new URL(frame.src).origin;
          postMessage(hello, "*");
          dispatchEvent(new MessageEvent("message", { data: hello, origin, source: window }));
          dispatchEvent(new MessageEvent("message", { data: hello, origin: location.origin, source }));
        }"""
    )
    frame = widget.page.frames[1]
    frame.evaluate("postMessage({ runnel: 1, type: 'port' }, '*', [new MessageChannel().port2])")
    widget.page.wait_for_function("heard.some(([name]) => name === 'ready')")
    widget.page.keyboard.press("Escape")
    expect(widget.iframe).to_be_hidden()  # the old channel still is the channel
    assert widget.page.evaluate("heard.map(([name]) => name)") == ["loaded", "ready", "close"]


def test_calls_before_the_loader_is_loaded_are_queued(visit: Callable[..., WidgetPage]) -> None:
    """As in docs/widget.md: calls wait in a list."""
    early = "(window.Runnel ||= { q: [] }).q.push(['on', 'loaded', () => (window.isLoaded = true)], ['open'])"
    widget = visit()
    widget.page.add_init_script(early)
    widget.page.reload()
    widget.wait_until_usable()
    assert widget.page.evaluate("isLoaded")
    widget.page.evaluate("Runnel.q.push(['close'])")
    expect(widget.iframe).to_be_hidden()


def test_the_tag_can_set_the_chats_language(
    visit: Callable[..., WidgetPage], host: HostSite, site: LiveSite, site_key: str
) -> None:
    host.carry(site.url, site_key, 'data-test-open-root data-lang="ar"', "rtl")
    widget = visit()
    widget.launcher.click()
    expect(widget.frame.locator("html")).to_have_attribute("dir", "rtl")
    composer = widget.frame.locator("#message[enterkeyhint]")
    composer.fill("/error 4006")
    composer.press("Enter")
    expect(widget.frame.locator(".outcome")).to_contain_text("حدّه اليومي")
    box = widget.launcher.bounding_box()
    assert box
    assert box["x"] < 100
    host.carry(site.url, site_key, 'data-test-open-root data-lang="<x>"')
    widget = visit()
    widget.open()


def test_on_a_phone_the_chat_fills_the_window_and_has_a_close_button(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    widget.open()
    box = widget.iframe.bounding_box()
    assert box == {"x": 0, "y": 0, "width": PHONE["width"], "height": PHONE["height"]}
    expect(widget.launcher).to_be_hidden()
    widget.frame.get_by_role("button", name="Close").click()
    expect(widget.launcher).to_be_visible()
    size = widget.launcher.bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= 44


def test_the_website_and_the_frame_are_accessible(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit(watched=False, bypass_csp=True, color_scheme="dark")
    assert axe(widget.page) == []
    widget.open()
    assert axe(widget.page.frames[1]) == []
    widget.ask("/markdown")
    widget.frame.get_by_role("button", name="Earlier chats").click()
    expect(widget.frame.locator("#history li")).to_have_count(1)
    assert axe(widget.page.frames[1]) == []
