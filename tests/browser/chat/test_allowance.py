"""What is left of the limits is shown before sending; a refusal gives the reason and keeps the text."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

#: A little more than a fifth is left.
LIMIT = """
import uuid
from django.db import transaction
from chat.accounts.models import User
from chat.quotas import ledger
from chat.quotas.amounts import Amount
from chat.quotas.models import Limit
from chat.quotas.payer import Payer
user = User.objects.get(email="leona@example.org")
charge, amount = uuid.uuid4(), Amount(7990, 0, 0)
estimate = ledger.Estimate(0, 1, amount, amount)
with transaction.atomic():
    ledger.reserve(charge, Payer(user_id=user.pk), estimate, model="m", process=1)
with transaction.atomic():
    ledger.settle([charge], lambda _: amount)
for measure, most in {"tokens": 10_000, "requests": 2}.items():
    Limit.objects.create(scope="member", user=user, measure=measure, amount=most)
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
    left = chat.page.get_by_role("button", name="of 10,000 tokens left today")
    expect(chat.page.locator("#allowance")).to_be_attached()
    expect(left).to_have_count(0)
    chat.ask("Why do rivers bend?")
    expect(left).to_be_visible()
    left.press("Enter")
    card = chat.page.locator("#allowance-card")
    expect(card).to_contain_text("of 10,000 left")
    expect(card).to_contain_text("Resets on")
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    expect(left).to_be_focused()
    notice = chat.page.locator("#delayed-send")
    for text in ("And then?", "And after that?", "And in the end?"):  # a new minute may begin
        chat.composer.fill(text)
        chat.composer.press("Enter")
        chat.page.wait_for_function(
            "document.querySelector('#delayed-send, .answer[data-state=complete]:last-child')"
        )
        if notice.is_visible():
            break
    expect(notice).to_contain_text("You can send 2 messages per minute. Sends again in")
    expect(chat.composer).to_have_value(text)
    assert axe(chat.page) == []
    notice.get_by_role("button", name="Cancel").click()
    expect(notice).to_have_count(0)
    chat.page.reload()
    expect(chat.composer).to_have_value(text)
