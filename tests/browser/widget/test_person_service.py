"""A visitor is offered a person, leaves an address while nobody is there, and rates the help."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import axe
from tests.support.browser.picture import picture
from tests.support.browser.widget_people import SOON

SERVICE = """
from chat.widget_sites.models import WidgetSite
WidgetSite.objects.update(
    offers_person=True, asks_email=True, mails_transcripts=True,
    person_phrases=["a human"], away_reply="We are out on the lake.",
    opening_hours={"timezone": "UTC", "days": [None] * 7},
)
"""
TAKE_OVER = """
from chat.conversations.models import Conversation
from chat.generations.task import cancellation
from chat.widget_sites import profiles
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
cancellation.take_over(chat.pk, chat.owner_id)
profiles.set_profile(chat.owner.visitor.site, chat.owner_id, "Agnes")
"""
HAND_BACK = """
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
takeover.add_message(chat, chat.owner_id, "It costs 20 dollars.", "of-the-person-1")
takeover.hand_back(chat.pk, chat.owner_id)
"""
RATING = """
from chat.conversations.models import Takeover
taken = Takeover.objects.latest("id")
print(taken.rating, taken.rating_comment)
"""


#: axe sends messages between the frames, which count as complaints of the page.
@pytest.mark.parametrize("is_checked", [pytest.param(False, marks=pytest.mark.quick), True])
def test_a_visitor_is_offered_a_person_leaves_an_address_and_rates_the_help(
    visit: Callable[..., WidgetPage], site: LiveSite, is_checked: bool
) -> None:
    site.run(SERVICE)
    widget = visit(watched=not is_checked)
    widget.open()
    ask = widget.frame.get_by_role("button", name="Talk to a person")
    notice = widget.frame.locator("#person")
    widget.ask("Is there A HUMAN, please?")
    expect(notice).to_have_text("Would you like to talk to a person?", timeout=SOON)
    picture(widget.page, "offered")
    assert not is_checked or axe(widget.page.frames[1]) == []
    ask.click()
    expect(notice).to_have_text("We are out on the lake.", timeout=SOON)
    address = widget.frame.get_by_label("Get the reply by email")
    address.fill("vera@example.org")
    widget.frame.get_by_role("button", name="Save").click()
    form = widget.frame.locator("#visitor-email")
    expect(form.get_by_role("status")).to_have_text("We'll email you the reply if you're away.")
    picture(widget.page, "waiting")
    assert not is_checked or axe(widget.page.frames[1]) == []
    form.get_by_role("button", name="Remove").click()
    expect(address).to_have_value("")

    site.run(TAKE_OVER)
    expect(notice).to_have_text("You're now chatting with Agnes.", timeout=SOON)
    expect(form).to_be_hidden()
    site.run(HAND_BACK)
    rating = widget.frame.locator("#help-rating")
    expect(rating).to_be_visible(timeout=SOON)
    widget.frame.get_by_text("It costs 20 dollars.", exact=True).scroll_into_view_if_needed()
    expect(widget.frame.locator(".person-label:visible")).to_have_text("Agnes")
    picture(widget.page, "rating")
    assert not is_checked or axe(widget.page.frames[1]) == []
    rating.get_by_role("textbox").fill("Too slow")
    rating.get_by_role("button", name="Bad").click()
    expect(rating).to_be_hidden()
    assert site.run(RATING) == "-1 Too slow"

    widget.frame.get_by_role("button", name="Email this chat").click()
    dialog = widget.frame.get_by_role("dialog")
    dialog.get_by_label("Email address").fill("vera@example.org")
    picture(widget.page, "transcript")
    dialog.get_by_role("button", name="Send").click()
    expect(widget.hint).to_have_text("The chat has been sent to vera@example.org.")
