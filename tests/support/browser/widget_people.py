"""Let a person answer visitors in browser tests."""

from tests.browser.server import LiveSite

SOON = 120_000
OFFER = (
    "from chat.widget_sites.models import WidgetSite; WidgetSite.objects.update(offers_person=True)"
)
ANSWER = """
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation
from chat.generations.task import cancellation
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
cancellation.take_over(chat.pk, chat.owner_id)
takeover.add_message(chat, chat.owner_id, {text!r}, {key!r})
"""


def answer(site: LiveSite, text: str) -> None:
    """Let a person write in the newest chat of a visitor."""
    site.run(ANSWER.format(text=text, key=text.replace(" ", "-").lower() + "-key"))
