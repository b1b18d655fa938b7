"""Members are told in a chat and on their pages that it will be deleted, and a message keeps it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow

EMAIL = "eva-expires@example.org"
#: A group of hers keeps chats for 30 days; no other member's chats are concerned.
MAKE_OLD = """
from datetime import timedelta
from django.contrib.auth.models import Group
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.retention import expiry
from chat.conversations.retention.models import GroupRetention
eva = User.objects.get(email={email!r})
group = Group.objects.create(name=eva.email)
GroupRetention.objects.create(group=group, days=30)
eva.groups.add(group)
old = timezone.now() - timedelta(days=100)
for title in ("A walk in spring", "مشي في الربيع"):
    chat = Conversation.objects.create(owner=eva, title=title, updated_at=old)
expiry.apply()
print(Conversation.objects.get(owner=eva, title="A walk in spring").pk)
"""


@pytest.mark.parametrize("look", [{}, {**PHONE, "color_scheme": "dark"}], ids=["desktop", "phone"])
def test_a_chat_that_will_be_deleted_says_so_until_it_is_used(
    site: LiveSite, open_page: Callable[..., Page], look: dict[str, Any]
) -> None:
    email = f"{len(look)}-{EMAIL}"
    eva = sign_in(site, email)
    path = f"/chat/{site.run(MAKE_OLD.format(email=email))}/"
    page = open_page("/chat/", storage_state=eva, **BARE, **look)
    page.get_by_role("link", name="Show them").click()
    expect(page.get_by_role("heading", name="Chats that will be deleted")).to_be_in_viewport()
    listed = page.locator("section", has_text="A walk in spring").get_by_role("listitem")
    expect(listed).to_have_count(2)
    assert axe(page) == []
    assert overflow(page) <= 0
    page.get_by_role("link", name="A walk in spring").click()
    expect(page).to_have_url(f"{site.url}{path}")
    chat = ChatPage(page)
    told = page.get_by_text("It will be deleted on")
    expect(told).to_be_visible()
    assert axe(page) == []
    chat.composer.fill("I still need this.")
    chat.send_button.click()
    chat.wait_for_text()
    chat.wait_for_end()
    site.run("from chat.conversations.retention import expiry; expiry.apply()")
    page.reload()
    expect(chat.last_text).to_be_visible()
    expect(told).to_have_count(0)
