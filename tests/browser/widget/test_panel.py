"""What websites can do with the widget, and what their visitors see if it does not appear."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.host_site import TRUSTED, HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import EVENTS, WidgetPage, make_site

PHONE = {"width": 390, "height": 800}
PHONE_ON_ITS_SIDE = {"width": 800, "height": 390}
DELETE = """
from chat.widget_sites.models import WidgetSite
WidgetSite.objects.get(key={key!r}).delete()
"""
ERRORS = "heard.filter(([name]) => name === 'error').map(([, detail]) => detail.code)"


def warnings_of(page: Page) -> list[str]:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    return said


def test_an_unreachable_chat_is_explained_and_can_be_tried_again(
    visit: Callable[..., WidgetPage],
) -> None:
    def cut(route: Route) -> None:
        route.abort("connectionrefused")

    widget = visit(watched=False)
    widget.page.route("**/w-panel.js*", cut)
    widget.page.evaluate(EVENTS)
    widget.launcher.click()
    notice = widget.page.get_by_role("alert")
    expect(notice).to_have_text("The chat can't be reached. Try again later.")
    expect(widget.launcher).to_have_attribute("aria-expanded", "false")
    assert widget.page.evaluate(ERRORS) == ["unreachable"]
    widget.page.unroute("**/w-panel.js*", cut)
    widget.open()
    expect(notice).to_be_hidden()


def test_a_failure_while_the_visitor_points_at_the_button_is_not_reported(
    visit: Callable[..., WidgetPage],
) -> None:
    def cut(route: Route) -> None:
        route.abort("connectionrefused")

    widget = visit(watched=False)
    widget.page.route("**/w-panel.js*", cut)
    widget.page.evaluate(EVENTS)
    with widget.page.expect_event("requestfailed"):
        widget.launcher.hover()
    widget.page.unroute("**/w-panel.js*", cut)
    expect(widget.iframe).to_have_count(0)
    widget.open()
    assert widget.page.evaluate(ERRORS) == []


def test_pointing_at_the_button_loads_the_chat_and_begins_nothing(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    sessions: list[str] = []
    widget.page.on("request", lambda each: sessions.append(each.method + each.url[-8:]))
    widget.launcher.hover()
    widget.frame.locator("#message[enterkeyhint]").wait_for(state="attached")  # its script has run
    expect(widget.iframe).to_be_hidden()
    expect(widget.launcher).to_have_attribute("aria-expanded", "false")
    assert "POST/session" not in sessions
    assert widget.page.context.cookies() == []
    with widget.page.expect_response("**/session"):
        widget.launcher.click()
    expect(widget.composer).to_be_focused()
    widget.ask("Where does the river bend?")
    assert sessions.count("POST/session") == 1


def test_a_chat_refused_while_the_visitor_points_at_the_button_is_explained_at_the_click(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    key = make_site(site, host)
    host.carry(site.url, key)
    widget = visit(watched=False)
    expect(widget.launcher).to_be_visible()
    site.run(DELETE.format(key=key))
    widget.page.evaluate(EVENTS)
    with widget.page.expect_response(f"**/w/{key}/?*"):
        widget.launcher.hover()
    expect(widget.page.get_by_role("alert")).to_be_hidden()
    widget.launcher.click()
    expect(widget.page.get_by_role("alert")).to_have_text("The chat isn't available here.")
    assert widget.page.evaluate(ERRORS) == ["refused"]


def test_a_refused_chat_is_explained(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    key = make_site(site, host)
    host.carry(site.url, key, 'data-test-open-root data-lang="de"')
    widget = visit(watched=False, viewport=PHONE)
    expect(widget.launcher).to_be_visible()
    site.run(DELETE.format(key=key))
    for _try in range(2):
        widget.launcher.click()
        expect(widget.page.get_by_role("alert")).to_have_text("Der Chat ist hier nicht verfügbar.")
        expect(widget.iframe).to_have_count(0)
        assert widget.page.evaluate("document.documentElement.style.overflow") == ""


@pytest.mark.parametrize("viewport", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on its side"])
def test_in_a_small_window_the_chat_fills_it_and_the_page_does_not_scroll(
    visit: Callable[..., WidgetPage], viewport: dict[str, int]
) -> None:
    widget = visit(viewport=viewport)
    overflow = "document.documentElement.style.overflow"
    widget.page.evaluate(f"{overflow} = 'clip'")  # the page's own
    widget.open()
    box = widget.iframe.bounding_box()
    assert box
    assert (box["width"], box["height"]) == (viewport["width"], viewport["height"])
    assert widget.page.evaluate(overflow) == "hidden"
    widget.frame.get_by_role("button", name="Close").click()
    expect(widget.iframe).to_be_hidden()
    assert widget.page.evaluate(overflow) == "clip"


def test_a_chat_that_does_not_come_can_be_closed_on_a_phone(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit(viewport=PHONE, watched=False)
    widget.page.route("**/w/*/?*", lambda _route: None)  # never answers
    widget.launcher.click()
    expect(widget.page.locator("runnel-chat i")).to_be_visible()
    widget.launcher.click()
    expect(widget.page.locator("runnel-chat i")).to_be_hidden()
    expect(widget.launcher).to_have_attribute("aria-expanded", "false")


def test_an_identity_that_cannot_be_fetched_is_an_error_of_the_page(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit(watched=False)
    failed = widget.page.evaluate_handle(
        "({ error: new Promise((tell) => Runnel.on('error', tell)) })"
    )
    widget.page.evaluate("Runnel.identify(() => Promise.reject(new Error('offline')))")
    widget.open()
    assert failed.evaluate("failed => failed.error") == {"code": "identify_failed"}
    assert len(widget.ask("Hello")) > 0  # as an anonymous visitor


def test_unknown_calls_are_ignored_with_a_warning(visit: Callable[..., WidgetPage]) -> None:
    widget = visit(watched=False)
    said = warnings_of(widget.page)
    widget.page.evaluate("Runnel.q.push(['sing'], ['open'])")
    widget.wait_until_usable()
    assert "Runnel: there is no sing()" in said


def test_a_module_and_a_policy_of_nonces_load_the_chat(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite, site_key: str
) -> None:
    for kind in ("async", 'type="module"'):
        host.carry(site.url, site_key)
        host.body = host.body.replace("<script async", f'<script nonce="abc" {kind}')
        host.headers["Content-Security-Policy"] = (
            f"default-src 'none'; img-src data:; script-src 'nonce-abc'; frame-src {site.url}; {TRUSTED}"
        )
        widget = visit()
        widget.open()
        widget.page.close()


def test_a_page_may_use_its_own_button(visit: Callable[..., WidgetPage]) -> None:
    widget = visit()
    widget.page.evaluate(
        """() => {
          Runnel.hideLauncher();
          document.querySelector("h1").innerText = "Canoes";
          document.querySelector("a").focus();
          Runnel.open();
        }"""
    )
    widget.wait_until_usable()
    expect(widget.launcher).to_be_hidden()
    expect(widget.composer).to_be_focused()
    widget.page.keyboard.press("Escape")
    expect(widget.page.get_by_role("link", name="Prices")).to_be_focused()
    widget.page.evaluate("Runnel.hideLauncher(false)")
    expect(widget.launcher).to_be_visible()


def test_a_destroyed_widget_leaves_nothing(visit: Callable[..., WidgetPage]) -> None:
    widget = visit(viewport=PHONE)
    widget.open()
    widget.page.evaluate("Runnel.destroy()")
    expect(widget.page.locator("runnel-chat")).to_have_count(0)
    assert widget.page.evaluate("[typeof Runnel, document.documentElement.style.overflow]") == [
        "undefined",
        "",
    ]


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE])
def test_a_page_that_is_zoomed_by_its_style_shows_the_whole_chat(
    visit: Callable[..., WidgetPage], viewport: dict[str, int]
) -> None:
    widget = visit(viewport=viewport)
    widget.page.evaluate("document.documentElement.style.zoom = 1.5")
    widget.open()
    top, bottom, left, right = widget.iframe.evaluate(
        """(frame) => {
          const { top, bottom, left, right } = frame.getBoundingClientRect();
          return [top, bottom, left, right].map((each) => Math.round(each));
        }"""
    )
    assert top >= 0
    assert left >= 0
    assert bottom <= viewport["height"]
    assert right <= viewport["width"]
