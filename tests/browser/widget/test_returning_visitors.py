"""A visitor who has left the website is told on return that a person has answered."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.picture import picture
from tests.support.browser.widget_people import OFFER, SOON, answer

DAY_MS = 24 * 60 * 60 * 1000
KEPT = "localStorage.runnel && Number(localStorage.runnel) - Date.now()"
HAND_BACK = """
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
takeover.hand_back(chat.pk, chat.owner_id)
"""


@pytest.fixture
def start_browser(
    browser: Browser, tmp_path: Path, site: LiveSite, host: HostSite, site_key: str
) -> Iterator[Callable[[], BrowserContext]]:
    """Start a browser with the profile of the last one."""
    if browser.browser_type.name != "chromium":
        pytest.skip("Playwright's Firefox keeps no profile")
    host.carry(site.url, site_key)
    found = find_chromium()
    started = []

    def start_browser() -> BrowserContext:
        context = browser.browser_type.launch_persistent_context(
            tmp_path,
            executable_path=found.path,
            args=list(FLAGS),
            env={**found.environment},
            viewport={"width": 1280, "height": 800},
        )
        started.append(context)
        return context

    yield start_browser
    for each in started:
        each.close()


def open_website(context: BrowserContext, host: HostSite) -> WidgetPage:
    page = context.new_page()
    page.goto(host.origin)
    return WidgetPage(page)


def ask_for_a_person(widget: WidgetPage) -> None:
    widget.open()
    widget.ask("What does a canoe cost?")
    widget.frame.get_by_role("button", name="Talk to a person").click()
    expect(widget.frame.locator("#person")).not_to_be_empty(timeout=SOON)


def wait_until_kept(page: Page, is_kept: bool) -> None:
    """The page's policy forbids Playwright's own `wait_for_function`."""
    for _ in range(1500):
        if bool(page.evaluate(KEPT)) == is_kept:
            return
        page.wait_for_timeout(20)
    raise AssertionError("the website keeps something else")


@pytest.mark.quick
def test_a_new_tab_shows_what_a_person_wrote_and_stops_once_it_is_read(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    site.run(OFFER)
    widget = visit()
    assert widget.page.evaluate("localStorage.length") == 0
    ask_for_a_person(widget)
    wait_until_kept(widget.page, True)
    assert 6 * DAY_MS < widget.page.evaluate(KEPT) <= 7 * DAY_MS
    context = widget.page.context
    widget.page.close()
    answer(site, "Hello **Vera**")
    answer(site, "It costs nothing")
    tab = open_website(context, host)
    expect(tab.launcher).to_have_accessible_name("Chat (2)", timeout=SOON)
    expect(tab.frame.locator("#preview")).to_contain_text("It costs nothing")
    picture(tab.page, "new-tab")
    site.run(HAND_BACK)
    tab.page.reload()
    expect(tab.launcher).to_have_accessible_name("Chat (2)", timeout=SOON)
    tab.open()
    wait_until_kept(tab.page, False)
    next_tab = open_website(context, host)
    expect(next_tab.launcher).to_be_visible()
    next_tab.page.wait_for_load_state("networkidle")
    expect(next_tab.iframe).to_have_count(0)
    expect(next_tab.launcher).to_have_accessible_name("Chat")


def test_the_next_day_s_browser_shows_what_a_person_wrote(
    start_browser: Callable[[], BrowserContext], site: LiveSite, host: HostSite
) -> None:
    site.run(OFFER)
    today = start_browser()
    widget = open_website(today, host)
    ask_for_a_person(widget)
    wait_until_kept(widget.page, True)
    today.close()
    answer(site, "Good morning")
    widget = open_website(start_browser(), host)
    expect(widget.launcher).to_have_accessible_name("Chat (1)", timeout=SOON)
    expect(widget.frame.locator("#preview")).to_contain_text("Good morning")


def test_nothing_is_loaded_once_the_time_is_over_or_the_visitor_has_signed_out(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    site.run(OFFER)
    widget = visit()
    ask_for_a_person(widget)
    wait_until_kept(widget.page, True)
    widget.page.evaluate("localStorage.runnel = Date.now() - 1000")
    late = open_website(widget.page.context, host)
    expect(late.launcher).to_be_visible()
    late.page.wait_for_load_state("networkidle")
    expect(late.iframe).to_have_count(0)
    widget.page.evaluate(f"localStorage.runnel = Date.now() + {DAY_MS}")
    widget.page.evaluate("Runnel.shutdown()")
    assert widget.page.evaluate(KEPT) is None
