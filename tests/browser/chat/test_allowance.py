"""What is left of the limits is shown before sending; a refusal gives the reason and keeps the text."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

LIMIT = """
from chat.accounts.models import User
from chat.quotas.models import Limit
user = User.objects.get(email="leona@example.org")
for measure, amount in {"tokens": 4000, "requests": 2}.items():
    Limit.objects.create(scope="member", user=user, measure=measure, amount=amount)
"""


@pytest.fixture(scope="module")
def lena(site: LiveSite, browser: Browser) -> StorageState:
    signed_in = sign_in(site, "leona@example.org")
    site.manage("shell", "--verbosity=0", "--command", LIMIT)
    return signed_in


def test_the_quota_is_shown_and_a_refused_message_can_be_sent_later(
    open_chat: Callable[..., ChatPage], lena: StorageState
) -> None:
    chat = open_chat(storage_state=lena, **BARE)
    left = chat.page.get_by_role("button", name="left of today's limit")
    expect(left).to_have_text("100% left")
    chat.ask("Why do rivers bend?")
    expect(left).not_to_have_text("100% left")
    left.press("Enter")
    card = chat.page.locator("#allowance-card")
    expect(card).to_contain_text("of 4,000 left")
    expect(card).to_contain_text("Resets on")
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    expect(left).to_be_focused()
    for text in ("And then?", "And after that?", "And in the end?"):  # a new minute may begin
        chat.ask(text)
        if chat.outcome.is_visible():
            break
    expect(chat.outcome).to_contain_text("2 messages per minute")
    expect(chat.outcome).to_contain_text("Your draft is saved")
    assert axe(chat.page) == []
    chat.outcome.get_by_role("button", name="Edit", exact=True).click()
    expect(chat.composer).to_have_value(text)
    chat.page.reload()
    expect(chat.composer).to_have_value(text)
