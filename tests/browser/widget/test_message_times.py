"""The visitor sees when each message was written."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage

TWO_DAYS_EARLIER = """
from datetime import timedelta
from chat.conversations.models import Conversation, Message
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
for message in Message.objects.filter(conversation=chat):
    Message.objects.filter(pk=message.pk).update(created_at=message.created_at - timedelta(days=2))
"""
TIME = re.compile(r"^\d\d?:\d\d")
DAY_AND_TIME = re.compile(r"\d{4}.*\d\d?:\d\d")


def test_each_message_has_its_time_and_an_old_one_its_day(
    visit: Callable[..., WidgetPage], site: LiveSite
) -> None:
    widget = visit()
    widget.open()
    widget.ask("What does a day cost?")
    times = widget.frame.locator(".turn time")
    expect(times).to_have_text([TIME, TIME])
    question = widget.frame.locator(".question")
    question.hover()
    expect(question.locator(".turn-foot")).to_have_css("opacity", "1")
    site.run(TWO_DAYS_EARLIER)
    widget.page.reload()
    widget.wait_until_usable()
    expect(times).to_have_text([DAY_AND_TIME, DAY_AND_TIME])
