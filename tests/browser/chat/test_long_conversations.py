"""Load earlier messages of a long conversation."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite

MAKE = """
from chat.accounts.models import User
from chat.conversations.models import Message
from chat.conversations.turns import start_conversation
conversation = start_conversation(User.objects.get(email="greta@example.org").pk)
parent = None
for number in range(%d):
    role = "assistant" if number %% 2 else "user"
    parent = conversation.messages.create(parent=parent, role=role, text=f"turn {number}. " * 40)
print(conversation.pk)
"""


@pytest.fixture(scope="module")
def greta(site: LiveSite) -> StorageState:
    return sign_in(site, "greta@example.org")


@pytest.fixture
def page(site: LiveSite, greta: StorageState, open_page: Callable[..., Page]) -> Page:
    made = site.run(MAKE % 240)
    page = open_page(f"/chat/{made}/", storage_state=greta)
    page.locator("#message[enterkeyhint]").wait_for()
    return page


@pytest.mark.quick
def test_scrolling_up_loads_earlier_messages_and_keeps_the_position(page: Page) -> None:
    questions = page.locator(".question")
    expect(questions).to_have_count(50)
    first = questions.filter(has_text="turn 140.")
    page.evaluate("scrollTo(0, 0)")
    expect(questions).to_have_count(100)
    # The text being read stays in place, within a line.
    place = first.bounding_box()
    assert place
    assert abs(place["y"]) < 400
    page.evaluate("scrollTo(0, 0)")
    expect(questions).to_have_count(120)
    expect(page.get_by_role("button", name="Earlier messages")).to_be_hidden()
    expect(questions.first).to_contain_text("turn 0.")


def test_loaded_messages_stay_when_the_conversation_continues(page: Page) -> None:
    page.evaluate("scrollTo(0, 0)")
    questions = page.locator(".question")
    expect(questions).to_have_count(100)
    page.get_by_role("textbox", name="Message").fill("And now?")
    page.keyboard.press("Enter")
    expect(questions).to_have_count(101)
    expect(page.get_by_role("button", name="Stop the answer")).to_have_count(0)
    page.evaluate("dispatchEvent(new Event('online'))")  # it looks for news
    page.wait_for_timeout(500)
    expect(questions).to_have_count(101)
