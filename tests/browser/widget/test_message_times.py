"""The visitor sees when each message was written, and which came by email."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage

REPLY = """
from chat.conversations import turns
from chat.conversations.models import Conversation
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
last = turns.last_message(chat)
turns.post_question(chat, "Thank you, I'll come.", last, "key-of-the-email-1", "", is_by_email=True)
"""
TIME = re.compile(r"^\d\d?:\d\d")


def test_each_message_has_its_time_and_says_if_it_came_by_email(
    visit: Callable[..., WidgetPage], site: LiveSite
) -> None:
    widget = visit()
    widget.open()
    widget.ask("What does a day cost?")
    expect(widget.frame.locator(".turn time")).to_have_text([TIME, TIME])
    questions = widget.frame.locator(".question")
    questions.hover()
    expect(questions.locator(".turn-foot")).to_have_css("opacity", "1")
    site.run(REPLY)
    widget.page.reload()
    widget.wait_until_usable()
    expect(questions.locator("time")).to_have_text([TIME, TIME])
    marks = questions.get_by_text("By email")
    expect(marks).to_have_count(2)
    expect(marks.nth(0)).to_be_hidden()
    expect(marks.nth(1)).to_be_visible()
