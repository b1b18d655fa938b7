"""Agnes asks for a reply to vera, from the sources of the website."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage, make_site
from tests.support.browser.accessibility import BARE, axe

PAGE = "https://canoes.example/rent"
AGNES = "agnes-suggests@example.org"
SOURCES = """
import asyncio
from chat.accounts.models import User
from chat.indexing import documents
from chat.indexing.work import INDEX
from chat.knowledge.access import own_collection
from chat.outbox.deliver import deliver_some
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
site = WidgetSite.objects.get(key={key!r})
team.add_member(site, User.objects.get(email={email!r}), SiteMember.Role.AGENT)
for name, text, address, is_for_team in (
    ("Rent", "A canoe for a week is forty euros. Paddles are included.", {page!r}, False),
    ("Discounts", "A canoe for a week is thirty euros for regulars.", "", True),
):
    collection = own_collection(site, is_for_team=is_for_team)
    documents.add(collection, site.owner, name, text.encode(), address)
asyncio.run(deliver_some(INDEX))
"""


@pytest.fixture(scope="module")
def site_key(site: LiveSite, host: HostSite) -> str:
    """Return a website of its own, because its sources answer its visitors, too."""
    return make_site(site, host)


@pytest.fixture(scope="module")
def agnes(site: LiveSite, site_key: str) -> StorageState:
    state = sign_in(site, AGNES)
    site.run(SOURCES.format(key=site_key, email=AGNES, page=PAGE))
    return state


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_suggestion_joins_what_was_typed_and_can_be_removed(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    agnes: StorageState,
    site_key: str,
    scheme: str,
) -> None:
    widget = visit()
    widget.open()
    question = f"How many euros is a canoe for a week ({scheme})?"
    widget.ask(question)
    page = open_page(f"/sites/{site_key}/inbox/", storage_state=agnes, color_scheme=scheme, **BARE)
    page.get_by_role("link", name=question).first.click()
    page.get_by_role("button", name="Take over").click()
    field = page.get_by_label("You're answering in this chat.")
    field.fill("Hello!")
    button = page.get_by_role("button", name="Suggest a reply")
    button.focus()
    button.press("Enter")
    state = page.get_by_text("Suggestion added. Parts of it are only for the team")
    expect(state).to_be_visible()
    expect(field).to_be_focused()
    suggested = field.input_value()
    assert suggested.startswith("Hello!\n\n")
    assert suggested.endswith(f"\nRent: {PAGE}")
    basis = page.get_by_role("region", name="Based on")
    expect(basis.get_by_role("link", name="Rent")).to_have_attribute("target", "_blank")
    expect(basis.locator("li", has_text="Discounts")).to_contain_text("Only for the team")
    assert axe(page) == []
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.get_by_role("button", name="Remove suggestion").click()
    expect(field).to_have_value("Hello!")
    expect(basis).to_be_hidden()
    for _attempt in range(2):  # the second suggestion replaces the first
        button.click()
        expect(state).to_be_visible()
        assert field.input_value().startswith("Hello!\n\n")
        assert field.input_value().count(PAGE) == 1
    field.press("End")
    field.press_sequentially(" Agnes")
    expect(page.get_by_role("button", name="Remove suggestion")).to_be_hidden()
    field.press("Enter")
    expect(field).to_have_value("")
    expect(basis).to_be_hidden()
    expect(widget.frame.locator(".answer").last.get_by_role("link", name=PAGE)).to_be_visible()
