"""Staff act on a chat or person, who sees the effect and a message."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

MAKE = """
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.review.models import ReviewScope
from chat.widget_sites.models import WidgetSite
lead = User.objects.get(email="lea-acts@example.org")
lead.user_permissions.add(Permission.objects.get(codename="lead_review"))
ReviewScope.objects.create(reviewer=lead)
person = User.objects.get(email="pia-writes@example.org")
site = WidgetSite.objects.create(owner=person, name="Canoes", origins=["https://canoes.example"])
chat = Conversation.objects.create(owner=person, title="Quartz?")
question = chat.messages.create(role="user", text="Quartz?")
answer = chat.messages.create(parent=question, role="assistant", text="It is a **mineral**.")
Generation.objects.create(
    owner=person, message=answer, send_key="acting", send_digest="x", state="complete", model="m",
)
print(person.pk, chat.pk, site.key)
"""
PICTURES = os.environ.get("PICTURES", "")


def seen(page: Page, name: str) -> None:
    """Save a screenshot if PICTURES=<folder> is set."""
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


@pytest.fixture(scope="module")
def pia(site: LiveSite) -> StorageState:
    return sign_in(site, "pia-writes@example.org")


@pytest.fixture(scope="module")
def lea(site: LiveSite) -> StorageState:
    return sign_in(site, "lea-acts@example.org")


@pytest.fixture(scope="module")
def made(site: LiveSite, pia: StorageState, lea: StorageState) -> list[str]:
    return site.run(MAKE).split()


def staff_page(open_page: Callable[..., Page], lea: StorageState, path: str) -> Page:
    page = open_page(path, storage_state=lea, **BARE)
    if "/reason/" in page.url:
        page.get_by_label("Reason for access").fill("Report 7 of May")
        page.get_by_role("button", name="Continue").click()
    return page


def act(page: Page, summary: str, button: str, where: str = "") -> None:
    details = page.locator(f"{where} details.staff-action", has_text=summary).first
    details.locator("summary").click()
    details.get_by_label("Reason (recorded)").fill("Report 7 of May")
    details.get_by_role("button", name=button).click()


def test_staff_act_and_the_member_is_told(
    open_page: Callable[..., Page], pia: StorageState, lea: StorageState, made: list[str]
) -> None:
    _person, chat, site_key = made
    staff = staff_page(open_page, lea, f"/review/{chat}/")
    member = open_page(f"/chat/{chat}/", storage_state=pia, **BARE)
    member.get_by_label("Message", exact=True).fill("And feldspar?")

    act(staff, "Hide", "Hide message", ".question")
    expect(staff.locator(".question")).to_contain_text("Hidden by staff")
    expect(staff.locator(".question")).to_contain_text("Quartz?")
    hidden = member.locator(".question[data-hidden] .message-text")  # at once: pages hear of it
    expect(hidden).to_have_text("Staff hid this message.")
    expect(member.get_by_role("button", name="Edit question")).to_have_count(0)
    act(staff, "Close chat", "Close chat")
    expect(staff.get_by_text("Closed by staff")).to_be_visible()
    assert axe(staff) == []
    seen(staff, "reading")

    member.reload()
    member.get_by_label("Message", exact=True).press("Enter")
    expect(member.locator("#hint")).to_contain_text("Staff closed this chat")
    expect(member.get_by_label("Message", exact=True)).to_have_value("And feldspar?")

    staff.get_by_role("link", name="pia-writes@example.org").first.click()
    staff.locator("summary", has_text="Warn").click()
    staff.get_by_label("Message to the user").fill("Please mind the tone.\nThank you.")
    warning = staff.locator("details.staff-action", has_text="Send warning")
    warning.get_by_label("Reason (recorded)").fill("Report 7 of May")
    staff.get_by_role("button", name="Send warning").click()
    expect(staff.locator(".note")).to_contain_text("unread")
    for summary in staff.locator("summary").all():
        summary.click()
    assert axe(staff) == []
    staff.emulate_media(color_scheme="dark")
    staff.wait_for_timeout(500)  # until colours have changed
    assert axe(staff) == []
    seen(staff, "person-dark")
    staff.set_viewport_size({"width": 320, "height": 700})
    assert staff.evaluate("document.documentElement.scrollWidth") <= 320
    seen(staff, "person-phone")

    member.reload()
    warned = member.get_by_role("region", name="From the site's administrators")
    expect(warned).to_contain_text("Please mind the tone.")
    expect(member.get_by_text("Staff closed this chat").first).to_be_visible()
    assert axe(member) == []
    seen(member, "warned")
    member.set_viewport_size({"width": 390, "height": 700})
    seen(member, "warned-phone")
    warned.get_by_role("button", name="Mark as read").click()
    expect(warned).to_have_count(0)
    expect(member.get_by_label("Message", exact=True)).to_have_value("And feldspar?")

    staff.goto(f"/review/sites/{site_key}/")
    for summary in staff.locator("summary").all():
        summary.click()
    assert axe(staff) == []
    staff.goto(f"/review/{chat}/")
    act(staff, "Legal hold", "Place on legal hold")
    staff.goto("/review/audit/actions/")
    own = staff.get_by_role("rowheader", name="lea-acts@example.org")
    expect(staff.get_by_role("row").filter(has=own)).to_have_count(4)
    assert axe(staff) == []
    member.set_viewport_size({"width": 1280, "height": 720})
    member.reload()
    member.locator(f"#entry-{chat} button").click()
    member.locator("#chat-menu").get_by_role("button", name="Delete").click()
    expect(member.get_by_text("Staff have kept this chat")).to_be_visible()
    assert axe(member) == []
    seen(member, "deletion")
    member.get_by_role("button", name="Delete").click()
    expect(member.get_by_text("Deleted.", exact=True)).to_be_visible()
    expect(member.locator(f"#entry-{chat}")).to_have_count(0)
