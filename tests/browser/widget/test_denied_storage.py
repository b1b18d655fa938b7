"""A browser that denies the frame all storage, as some do where third-party cookies are blocked."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage, make_site

DENY_FRAMES = """
if (parent !== window) {
  for (const name of ["sessionStorage", "localStorage"]) {
    Object.defineProperty(window, name, {
      get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
    });
  }
}
"""
KEPT = "Object.entries({...sessionStorage, ...localStorage})"
PAUSE_MS = 20
TRIES = 1500


def copies(widget: WidgetPage) -> list[list[str]]:
    """Return what the website's page keeps for the frame."""
    return [each for each in widget.page.evaluate(KEPT) if each[0].startswith("runnel-kept-")]


def wait_for_copy(widget: WidgetPage) -> list[list[str]]:
    """The page's policy forbids Playwright's own `wait_for_function`."""
    for _ in range(TRIES):
        if found := copies(widget):
            return found
        widget.page.wait_for_timeout(PAUSE_MS)
    raise AssertionError("nothing is kept")


@pytest.fixture
def visit_denied(visit: Callable[..., WidgetPage]) -> Callable[[], WidgetPage]:
    def visit_denied() -> WidgetPage:
        widget = visit()
        widget.page.add_init_script(DENY_FRAMES)
        widget.page.reload()
        widget.open()
        return widget

    return visit_denied


@pytest.mark.quick
def test_a_draft_stays_and_the_website_cannot_read_it(
    visit_denied: Callable[[], WidgetPage],
) -> None:
    widget = visit_denied()
    widget.ask("/echo a question")
    widget.composer.fill("A secret draft")
    widget.page.get_by_role("link", name="Prices").click()
    widget.wait_until_usable()
    expect(widget.questions).to_have_text(["/echo a question"])
    expect(widget.composer).to_have_value("A secret draft")
    kept = widget.page.evaluate(KEPT)
    assert copies(widget)
    assert "secret" not in str(kept)
    assert "rv_" not in str(kept)


def test_the_choice_about_sound_stays(
    visit_denied: Callable[[], WidgetPage], site: LiveSite, host: HostSite
) -> None:
    host.carry(site.url, make_site(site, host, look={"sound": True}))
    widget = visit_denied()
    sound = widget.frame.get_by_role("button", name="Sound for new messages")
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    wait_for_copy(widget)
    widget.page.get_by_role("link", name="Prices").click()
    expect(sound).to_have_attribute("aria-pressed", "false")


def test_a_draft_stays_when_the_language_changes(
    visit_denied: Callable[[], WidgetPage],
) -> None:
    widget = visit_denied()
    widget.composer.fill("A draft")
    widget.page.evaluate("Runnel.setLanguage('de')")
    message = widget.frame.get_by_role("textbox", name="Nachricht")
    expect(message).to_have_value("A draft")


def test_the_next_visitor_of_the_tab_gets_nothing(
    visit_denied: Callable[[], WidgetPage],
) -> None:
    widget = visit_denied()
    widget.composer.fill("A secret draft")
    wait_for_copy(widget)
    widget.page.evaluate("Runnel.shutdown()")
    assert copies(widget) == []
    widget.open()
    expect(widget.composer).to_have_value("")
    widget.composer.fill("Of somebody else")
    wait_for_copy(widget)
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.composer).to_have_value("Of somebody else")


def test_a_copy_of_another_visitor_is_of_no_use(
    visit_denied: Callable[[], WidgetPage],
) -> None:
    widget = visit_denied()
    widget.composer.fill("A secret draft")
    (kept,) = wait_for_copy(widget)
    other = visit_denied()
    other.page.evaluate("([name, copy]) => sessionStorage.setItem(name, copy)", kept)
    other.page.reload()
    other.wait_until_usable()
    other.composer.fill("Usable")
    expect(other.composer).to_have_value("Usable")
    other.page.reload()
    other.wait_until_usable()
    expect(other.composer).to_have_value("Usable")
