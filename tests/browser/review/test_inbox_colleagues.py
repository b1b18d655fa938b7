"""Agnes and ben answer the same visitor from the inbox, each with the chat open."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage

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
