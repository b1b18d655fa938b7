"""Agnes answers vera from the inbox of the website, and rita reviews what was said."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.picture import picture

SOON = 120_000
AGNES, RITA = "agnes-answers@example.org", "rita-reviews@example.org"
ENLIST = f"""
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.review.models import ReviewScope
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
WidgetSite.objects.update(offers_person=True)
agnes, rita = (User.objects.get(email=email) for email in ("{AGNES}", "{RITA}"))
User.objects.filter(pk=agnes.pk).update(name="Agnes")
for site in WidgetSite.objects.all():
    team.add_member(site, agnes, SiteMember.Role.AGENT)
rita.user_permissions.add(Permission.objects.get(codename="review"))
ReviewScope.objects.create(reviewer=rita)
"""
READINGS = f"""
from chat.accounts.models import User
from chat.review.models import AccessLogEntry
for email in ("{AGNES}", "{RITA}"):
    found = AccessLogEntry.objects.filter(reader=User.objects.get(email=email).pk, kind="read")
    print(found.count())
"""


@pytest.fixture(scope="module")
def people(site: LiveSite, site_key: str) -> tuple[StorageState, StorageState]:
    """Return the browser states of agnes and rita."""
    states = sign_in(site, AGNES), sign_in(site, RITA)
    site.run(ENLIST)
    return states


@pytest.mark.quick
def test_a_visitor_asks_for_a_person_and_is_answered_from_the_inbox(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    people: tuple[StorageState, StorageState],
    site: LiveSite,
    site_key: str,
) -> None:
    agnes_state, rita_state = people
    widget = visit()
    widget.open()
    widget.ask("What does a canoe cost for a week?")
    widget.frame.get_by_role("button", name="Talk to a person").click()
    notice = widget.frame.locator("#person")
    expect(notice).to_have_text("A person has been asked to reply here.", timeout=SOON)
    picture(widget.page, "asked")

    agnes = open_page(f"/sites/{site_key}/inbox/?show=waiting", storage_state=agnes_state)
    picture(agnes, "inbox")
    agnes.get_by_role("link", name="What does a canoe cost for a week?").click()
    agnes.get_by_role("button", name="Take over").click()
    field = agnes.get_by_label("You're answering in this chat.")
    field.fill("Hello, I am **Agnes**.")
    field.press("Enter")
    expect(widget.frame.locator(".answer:has(.person-label:visible) strong")).to_have_text(
        "Agnes", timeout=SOON
    )
    expect(notice).to_have_text("You're now chatting with a person.")
    widget.send("And for two?")
    question = agnes.locator(".question .message-text").last
    expect(question).to_have_text("And for two?", timeout=SOON)
    picture(agnes, "inbox-chat")
    picture(widget.page, "answered")
    agnes.get_by_role("button", name="Hand back to the AI").click()
    # The question was open, so the model answers it.
    expect(widget.frame.locator(".answer").last).to_contain_text("And for two?", timeout=SOON)
    expect(notice).to_have_text("", timeout=SOON)

    rita = open_page("/review/", storage_state=rita_state)
    rita.get_by_label("Reason for access").fill("A report of today")
    rita.get_by_role("button", name="Continue").click()
    rita.get_by_role("link", name="What does a canoe cost for a week?").click()
    expect(rita.locator(".person-label").first).to_contain_text("Agnes")
    readings = site.run(READINGS).split()
    assert int(readings[0]) >= 1
    assert readings[1] == "1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_inbox_is_accessible(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    people: tuple[StorageState, StorageState],
    site_key: str,
    scheme: str,
) -> None:
    widget = visit()
    widget.open()
    widget.ask("Do I need a paddle?")
    page = open_page(
        f"/sites/{site_key}/inbox/", storage_state=people[0], color_scheme=scheme, **BARE
    )
    assert axe(page) == []
    page.get_by_role("link", name="Do I need a paddle?").first.click()
    expect(page.get_by_role("button", name="Take over")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Team").click()
    expect(page.get_by_role("heading", name="Team of")).to_be_visible()
    assert axe(page) == []
    picture(page, f"team-{scheme}")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"/sites/{site_key}/inbox/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, f"inbox-phone-{scheme}")


@pytest.mark.quick
def test_several_chats_are_closed_with_the_keyboard_and_the_close_is_undone(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    people: tuple[StorageState, StorageState],
    site_key: str,
) -> None:
    widget = visit()
    widget.open()
    widget.ask("Is the dock open on Sunday?")
    page = open_page(f"/sites/{site_key}/inbox/", storage_state=people[0], **BARE)
    link = page.get_by_role("link", name="Is the dock open on Sunday?").first
    close = page.get_by_role("button", name="Close", exact=True)
    expect(close).to_be_disabled()  # nothing is selected
    link.focus()
    page.keyboard.press("x")
    expect(page.get_by_text("1 selected")).to_be_visible()
    expect(close).to_be_enabled()
    picture(page, "selected")
    assert axe(page) == []
    page.get_by_role("button", name="Close", exact=True).press("Enter")
    expect(page.get_by_text("1 chat closed.")).to_be_visible()
    expect(link).to_be_hidden()
    picture(page, "closed")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_text("1 chat opened.")).to_be_visible()
    expect(link).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_several_chats_are_closed_on_a_phone_without_scripts(
    visit: Callable[..., WidgetPage],
    open_page: Callable[..., Page],
    people: tuple[StorageState, StorageState],
    site_key: str,
    scheme: str,
) -> None:
    widget = visit()
    widget.open()
    widget.ask("May dogs come along?")
    page = open_page(
        f"/sites/{site_key}/inbox/",
        storage_state=people[0],
        color_scheme=scheme,
        java_script_enabled=False,
        viewport={"width": 390, "height": 800},
    )
    page.get_by_label("Select “May dogs come along?”").first.check()
    picture(page, f"selected-phone-{scheme}")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_text("1 chat closed.")).to_be_visible()
    picture(page, f"closed-phone-{scheme}")
