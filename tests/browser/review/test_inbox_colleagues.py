"""Agnes and ben answer the same visitor from the inbox, each with the chat open."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.picture import picture

SOON = 120_000
AGNES, BEN = "agnes-with-ben@example.org", "ben-with-agnes@example.org"
ENLIST = f"""
from chat.accounts.models import User
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
WidgetSite.objects.update(offers_person=True)
for email, name in (("{AGNES}", "Agnes"), ("{BEN}", "Ben")):
    person = User.objects.get(email=email)
    User.objects.filter(pk=person.pk).update(name=name)
    for site in WidgetSite.objects.all():
        team.add_member(site, person, SiteMember.Role.AGENT)
"""


@pytest.fixture(scope="module")
def colleagues(site: LiveSite, site_key: str) -> tuple[StorageState, StorageState]:
    """Return the browser states of agnes and ben."""
    states = sign_in(site, AGNES), sign_in(site, BEN)
    site.run(ENLIST)
    return states


@pytest.fixture
def pages(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    colleagues: tuple[StorageState, StorageState],
    site_key: str,
) -> tuple[Page, Page, WidgetPage]:
    """Return the same chat in agnes's and ben's inbox, and its visitor."""
    widget = visit()
    widget.open()
    widget.ask("Do you rent kayaks?")
    agnes, ben = (
        open_page(f"/sites/{site_key}/inbox/", storage_state=state) for state in colleagues
    )
    for page in (agnes, ben):
        page.get_by_role("link", name="Do you rent kayaks?").first.click()
    return agnes, ben, widget


@pytest.mark.quick
def test_the_open_page_of_a_colleague_follows_and_keeps_what_is_typed(
    pages: tuple[Page, Page, WidgetPage],
) -> None:
    agnes, ben, widget = pages
    agnes.get_by_role("button", name="Take over").click()
    expect(ben.get_by_text("Agnes is now answering in this chat.")).to_be_visible(timeout=SOON)
    expect(ben.get_by_role("button", name="Take over")).to_be_hidden()
    agnes.get_by_label("You're answering in this chat.").fill("Yes, we do.")
    agnes.get_by_role("button", name="Send", exact=True).click()
    expect(ben.get_by_text("Yes, we do.")).to_be_visible(timeout=SOON)
    agnes.get_by_label("You're answering in this chat.").fill("Half a reply")
    agnes.get_by_role("button", name="Hand back to the AI").click()
    ben.get_by_role("button", name="Take over").click(timeout=SOON)
    expect(agnes.get_by_text("Ben is now answering in this chat.")).to_be_visible(timeout=SOON)
    expect(agnes.get_by_label("Not sent")).to_have_value("Half a reply")
    widget.send("How much?")
    for page in (agnes, ben):
        expect(page.get_by_text("How much?")).to_be_visible(timeout=SOON)


@pytest.mark.quick
def test_a_chat_is_passed_on_snoozed_closed_and_labelled(
    pages: tuple[Page, Page, WidgetPage], site_key: str
) -> None:
    agnes, ben, widget = pages
    agnes.get_by_role("button", name="Take over").click()
    field = agnes.get_by_label("You're answering in this chat.")
    field.press_sequentially("I will ask Ben", delay=20)
    typing = widget.frame.locator("#typing")
    expect(typing).to_have_text("A person is typing…", timeout=SOON)
    expect(typing).to_be_visible(timeout=SOON)
    picture(widget.page, "typing", full_page=True)
    widget.frame.locator("#message").press_sequentially("Hm", delay=20)
    expect(agnes.get_by_text("The visitor is typing…")).to_be_visible(timeout=SOON)
    agnes.get_by_text("Assign to a colleague").click()
    agnes.get_by_label("Assign to").select_option(label="Ben")
    agnes.get_by_label("Note for the team").fill("They want two kayaks.")
    agnes.get_by_role("button", name="Assign", exact=True).click()
    expect(agnes.get_by_text("Ben is now answering in this chat.")).to_be_visible(timeout=SOON)
    expect(agnes.get_by_label("Not sent")).to_have_value("I will ask Ben")
    picture(agnes, "passed-on", full_page=True)
    expect(ben.get_by_text("You're now answering in this chat.")).to_be_visible(timeout=SOON)
    expect(ben.get_by_text("Assigned to Ben")).to_be_visible(timeout=SOON)
    ben.get_by_label("You're answering in this chat.").fill("Two kayaks are 40 euros.")
    ben.get_by_role("button", name="Close chat").click()
    expect(ben.locator("#handling .state")).to_have_text("Closed")
    expect(agnes.locator("#handling .state")).to_have_text("Closed", timeout=SOON)
    expect(ben.get_by_label("Not sent")).to_have_value("Two kayaks are 40 euros.")
    widget.send("One more question")
    expect(agnes.locator("#handling .state")).to_have_text("Open chat", timeout=SOON)
    agnes.goto(f"/sites/{site_key}/labels/")
    agnes.get_by_label("Name").fill("Rental")
    agnes.get_by_role("button", name="Add label").click()
    ben.reload()
    ben.get_by_label("Rental").check()
    ben.get_by_role("button", name="Save labels").click()
    ben.locator("summary", has_text="Snooze").click()
    picture(ben, "handling", full_page=True)
    ben.get_by_role("button", name="Snooze", exact=True).click()
    expect(ben.get_by_text("Snoozed by Ben until")).to_be_visible()
    agnes.goto(f"/sites/{site_key}/inbox/?show=snoozed")
    agnes.get_by_label("Label", exact=True).select_option(label="Rental")
    agnes.get_by_role("button", name="Filter").click()
    expect(agnes.get_by_role("link", name="Do you rent kayaks?").first).to_be_visible()
    picture(agnes, "snoozed-list", full_page=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_handling_a_chat_is_accessible_on_each_screen(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    colleagues: tuple[StorageState, StorageState],
    site_key: str,
    scheme: str,
    language: str,
) -> None:
    widget = visit()
    widget.open()
    widget.ask("Is there a pier?")
    page = open_page(
        f"/sites/{site_key}/inbox/",
        storage_state=colleagues[0],
        color_scheme=scheme,
        locale=language,
        **BARE,
    )
    assert axe(page) == []
    page.get_by_role("link", name="Is there a pier?").first.click()
    for summary in page.locator("#handling summary").all():
        summary.click()
    assert axe(page) == []
    picture(page, f"handling-{language}-{scheme}", full_page=True)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, f"handling-phone-{language}-{scheme}", full_page=True)
    page.goto(f"/sites/{site_key}/labels/")
    assert axe(page) == []
