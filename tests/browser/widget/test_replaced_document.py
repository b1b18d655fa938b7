"""Some pages replace their whole document: the chat comes back, and isn't in the way of a framework's hydration."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.host_site import HostSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.replaced_documents import REPLACEMENTS


@pytest.fixture
def lenient(visit: Callable[..., WidgetPage], host: HostSite) -> WidgetPage:
    """Open a page that may write HTML."""
    host.headers = {}
    return visit()


@pytest.mark.parametrize(
    "what",
    [
        pytest.param("its content", marks=pytest.mark.quick),
        "its element",
        pytest.param("all of it", marks=pytest.mark.quick),
    ],
)
def test_the_chat_comes_back(lenient: WidgetPage, what: str) -> None:
    lenient.open()
    lenient.ask("/echo a question")
    lenient.launcher.click()
    lenient.page.evaluate(REPLACEMENTS[what])
    expect(lenient.page.get_by_role("heading", name="New page")).to_be_visible()
    expect(lenient.launcher).to_have_count(1)
    lenient.open()
    expect(lenient.questions).to_have_text(["/echo a question"])
    expect(lenient.composer).to_be_focused()
    lenient.ask("/echo another")
    lenient.launcher.press("Escape")
    expect(lenient.iframe).to_be_hidden()


@pytest.mark.parametrize("what", REPLACEMENTS)
def test_an_open_chat_stays_open(lenient: WidgetPage, what: str) -> None:
    lenient.open()
    lenient.ask("/echo a question")
    lenient.page.evaluate(REPLACEMENTS[what])
    lenient.wait_until_usable()
    expect(lenient.iframe).to_be_visible()
    expect(lenient.questions).to_have_text(["/echo a question"])


def test_a_removed_chat_stays_away(lenient: WidgetPage) -> None:
    expect(lenient.launcher).to_be_visible()
    lenient.page.evaluate("Runnel.destroy()")
    lenient.page.evaluate(REPLACEMENTS["its content"])
    expect(lenient.page.get_by_role("heading", name="New page")).to_be_visible()
    expect(lenient.page.locator("runnel-chat")).to_have_count(0)


def test_nothing_is_added_to_a_page_that_is_still_loading(
    lenient: WidgetPage, host: HostSite
) -> None:
    held: list[Route] = []
    page = lenient.page
    page.route("**/slow.png", lambda route: held.append(route))
    host.body = host.body.replace("<h1>", '<img src="/slow.png" alt=""><h1>')
    with page.expect_response("**/look.js*"):
        page.goto(host.origin, wait_until="domcontentloaded")
    page.wait_for_timeout(300)
    assert held
    assert page.evaluate(
        "[...document.documentElement.children].map((each) => each.localName)"
    ) == [
        "head",
        "body",
    ]
    held[0].fulfill(status=404)
    expect(lenient.launcher).to_be_visible()
    lenient.open()
