"""A person's words reach a visitor who has closed the chat, also on the website's next page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import axe
from tests.support.browser.picture import picture
from tests.support.browser.widget_people import OFFER, SOON, answer


@pytest.fixture
def waiting(visit: Callable[..., WidgetPage], site: LiveSite) -> WidgetPage:
    """Open a page whose visitor has asked for a person and closed the chat."""
    site.run(OFFER)
    widget = visit()
    widget.open()
    widget.ask("What does a canoe cost?")
    widget.frame.get_by_role("button", name="Talk to a person").click()
    expect(widget.frame.locator("#person")).not_to_be_empty(timeout=SOON)
    widget.launcher.click()
    expect(widget.iframe).to_be_hidden()
    return widget


@pytest.mark.firefox
@pytest.mark.quick
def test_a_closed_chat_shows_a_badge_and_a_preview_that_opens_it(
    waiting: WidgetPage, site: LiveSite
) -> None:
    answer(site, "Hello **Vera**")
    expect(waiting.launcher).to_have_accessible_name("Chat (1)", timeout=SOON)
    preview = waiting.frame.locator("#preview")
    expect(preview).to_contain_text("Hello Vera")
    box = waiting.iframe.bounding_box()
    assert box
    assert box["height"] < 150
    picture(waiting.page, "preview")
    preview.get_by_role("button").first.click()
    expect(waiting.launcher).to_have_accessible_name("Chat")
    expect(preview).to_be_hidden()
    expect(waiting.composer).to_be_focused()
    box = waiting.iframe.bounding_box()
    assert box
    assert box["height"] > 400


def test_the_next_page_shows_what_was_not_read(waiting: WidgetPage, site: LiveSite) -> None:
    answer(site, "First")
    expect(waiting.launcher).to_have_accessible_name("Chat (1)", timeout=SOON)
    waiting.page.reload()
    expect(waiting.launcher).to_have_accessible_name("Chat (1)", timeout=SOON)
    expect(waiting.frame.locator("#preview")).to_contain_text("First")
    waiting.frame.locator("#preview").get_by_role("button", name="Close").click()
    expect(waiting.iframe).to_be_hidden()
    answer(site, "Second")
    expect(waiting.launcher).to_have_accessible_name("Chat (2)", timeout=SOON)
    waiting.launcher.click()
    expect(waiting.frame.locator(".person-label:visible")).to_have_count(2)
    waiting.launcher.click()
    waiting.page.reload()
    expect(waiting.launcher).to_have_accessible_name("Chat")
    answer(site, "Third")
    expect(waiting.launcher).to_have_accessible_name("Chat (1)", timeout=SOON)


NAME = """
from chat.conversations.models import Conversation
from chat.widget_sites import profiles
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
profiles.set_profile(chat.owner.visitor.site, chat.owner_id, {name!r})
"""


def test_the_preview_names_who_wrote_last_and_nobody_else(
    waiting: WidgetPage, site: LiveSite
) -> None:
    preview = waiting.frame.locator("#preview")
    for name in ("Agnes", ""):
        site.run(NAME.format(name=name))
        answer(site, f"From {name or 'another'}")
        shown = f"{name or 'A person'} From {name or 'another'}"
        expect(preview).to_have_text(shown, use_inner_text=True, timeout=SOON)


def test_a_chat_without_a_person_is_not_loaded_until_it_is_opened(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.ask("What does a canoe cost?")
    widget.launcher.click()
    widget.page.reload()
    expect(widget.launcher).to_be_visible()
    widget.page.wait_for_load_state("networkidle")
    expect(widget.iframe).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_preview_is_accessible(
    visit: Callable[..., WidgetPage], site: LiveSite, scheme: str
) -> None:
    site.run(OFFER)
    widget = visit(
        watched=False, bypass_csp=True, color_scheme=scheme, viewport={"width": 390, "height": 800}
    )
    widget.open()
    widget.ask("What does a canoe cost?")
    widget.frame.get_by_role("button", name="Talk to a person").click()
    expect(widget.frame.locator("#person")).not_to_be_empty(timeout=SOON)
    widget.frame.get_by_role("button", name="Close").last.click()
    answer(site, f"In {scheme} " + "words " * 40)
    expect(widget.launcher).to_have_accessible_name("Chat (1)", timeout=SOON)
    assert axe(widget.page.frames[1]) == []
    picture(widget.page, f"preview-{scheme}")
