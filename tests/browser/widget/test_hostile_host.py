"""The whole widget on a page with all that is in its way at once: policies, styles, no cookies."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import devtools
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import EVENTS, WidgetPage
from tests.support.browser.accessibility import axe
from tests.support.browser.hostile_styles import HOSTILE_CSS, is_on_top
from tests.support.browser.widget_people import OFFER, SOON, answer

NO_COOKIES = {
    "enableThirdPartyCookieRestriction": True,
    "disableThirdPartyCookieMetadata": True,
    "disableThirdPartyCookieHeuristics": True,
}
PHONE: dict[str, Any] = {"is_mobile": True, "has_touch": True}
WINDOWS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "upright": PHONE | {"viewport": {"width": 390, "height": 844}},
    "across": PHONE | {"viewport": {"width": 844, "height": 390}},
}


@pytest.fixture
def hostile_page(visit: Callable[..., WidgetPage], host: HostSite) -> Callable[..., WidgetPage]:
    """Open the page whose policies, styles and browser are as hostile as they can be."""
    host.files["/hostile.css"] = ("text/css", HOSTILE_CSS.encode())
    host.body = host.body.replace("</head>", '<link rel="stylesheet" href="/hostile.css"></head>')
    host.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    host.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    host.headers["Content-Security-Policy"] += "; style-src 'self'"

    def open_page(**options: Any) -> WidgetPage:
        widget = visit(**options)
        session = devtools(widget.page)
        session.send("Network.enable")
        session.send("Network.setCookieControls", NO_COOKIES)
        widget.page.reload()
        return widget

    return open_page


def ask(widget: WidgetPage, text: str) -> None:
    """Send with the button: on phones Enter begins a line."""
    widget.composer.fill(text)
    widget.frame.get_by_role("button", name="Send").click()
    expect(widget.questions).to_have_count(1)
    assert widget.wait_for_end()


@pytest.mark.parametrize("window", WINDOWS)
def test_everything_works_on_a_page_that_is_in_the_way(
    hostile_page: Callable[..., WidgetPage], site: LiveSite, window: str
) -> None:
    site.run(OFFER)
    widget = hostile_page(**WINDOWS[window])
    widget.page.evaluate(EVENTS)
    assert is_on_top(widget.page)
    widget.open()
    ask(widget, "/echo Where does the river bend?")
    widget.frame.get_by_role("button", name="Talk to a person").click()
    expect(widget.frame.locator("#person")).not_to_be_empty(timeout=SOON)
    widget.frame.get_by_role("button", name="Close").click()
    expect(widget.iframe).to_be_hidden()

    answer(site, f"At the mill, seen {window}")
    expect(widget.launcher).to_have_accessible_name("Chat (1)", timeout=SOON)
    widget.frame.locator("#preview .preview-open").click()
    expect(widget.composer).to_be_visible()
    expect(widget.answers.last).to_contain_text("At the mill")
    widget.page.evaluate("Runnel.prefill('And then?')")
    expect(widget.composer).to_have_value("And then?")
    expect(widget.composer).to_be_in_viewport(ratio=1)
    names = {name for name, _detail in widget.page.evaluate("heard")}
    assert {"open", "ready", "message", "close"} <= names
    assert "error" not in names
    widget.page.evaluate("Runnel.destroy()")
    expect(widget.iframe).to_have_count(0)


@pytest.mark.parametrize("window", WINDOWS)
def test_it_is_accessible_there(hostile_page: Callable[..., WidgetPage], window: str) -> None:
    widget = hostile_page(watched=False, **WINDOWS[window])
    widget.open()
    ask(widget, "/echo Where does the river bend?")
    assert [each for each in axe(widget.page) if "runnel-chat" in each] == []
    (frame,) = (each for each in widget.page.frames if "/w/" in each.url)
    assert axe(frame) == []
