"""A staff note is kept when the reason or the session expires while it is written."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, sign_in
from tests.browser.review.access_reason import REASON_ENDS
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

EMAIL = "nora-notes@example.org"
MAKE = """
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.models import ReviewScope
nora = User.objects.get(email="nora-notes@example.org")
nora.user_permissions.add(Permission.objects.get(codename="review"))
ReviewScope.objects.create(reviewer=nora)
chat = Conversation.objects.create(owner=User.objects.create_user("ned@example.org", "x"), title="Of rivers")
chat.messages.create(role="user", text="Why do they bend?")
print(chat.pk)
"""
SESSION_ENDS = "from chat.accounts.sessions.session_store import UserSession; UserSession.objects.all().delete()"
NOTE = 'They <b>bend</b> "because"\nof what lies below.'


@pytest.mark.long
def test_a_note_survives_the_end_of_the_reason_and_of_the_session(
    open_page: Callable[..., Page], site: LiveSite
) -> None:
    state = sign_in(site, EMAIL)
    place = f"/review/{site.run(MAKE).strip()}/"
    page = open_page(place, storage_state=state, **BARE)
    give_reason(page, "Report 7 of May")
    note = page.get_by_label("Note", exact=True)
    note.fill(NOTE)
    site.run(REASON_ENDS)
    page.get_by_role("button", name="Add note").click()
    expect(page.get_by_text("Nothing has been saved yet")).to_be_visible()
    expect(page.get_by_label("Reason for access")).to_have_value("Report 7 of May")
    assert axe(page) == []
    give_reason(page, "a b " * 60)
    expect(page.get_by_text("This has 239 characters")).to_be_visible()
    give_reason(page, "Report 8 of May")
    expect(page.locator(".note .message-text")).to_have_text(NOTE)
    expect(page.get_by_text("Report 8 of May")).to_be_visible()

    note.fill("And another one")
    site.run(SESSION_ENDS)
    page.get_by_role("button", name="Add note").click()
    expect(page.get_by_role("heading", name="You've been signed out")).to_be_visible()
    assert axe(page) == []
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in (new tab)").click()
    tab = opened.value
    tab.get_by_label("Email").fill(EMAIL)
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in", exact=True).click()
    expect(tab.get_by_label("Reason for access")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    give_reason(page, "Report 9 of May")
    expect(page.locator(".note .message-text")).to_have_text([NOTE, "And another one"])


def give_reason(page: Page, reason: str) -> None:
    page.get_by_label("Reason for access").fill(reason)
    page.get_by_role("button", name="Continue").click()
