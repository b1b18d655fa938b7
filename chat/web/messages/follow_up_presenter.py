"""Show the questions that are suggested after the last answer, to its member or visitor."""

import msgspec

from chat.accounts.preferences import Preferences
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.site_settings import effective
from chat.web.messages.message_out import MessageOut
from chat.widget_sites import visits


def with_follow_ups(shown: MessageOut, message: Message) -> MessageOut:
    """Return an answer with its questions, unless the site or its owner hides them.

    Of answers that are compared, none has any: the chat first has to go on with one of them.
    """
    if not message.follow_ups or shown.pair or shown.state != Generation.State.COMPLETE:
        return shown
    questions = visible_follow_ups(message)
    if not questions or not _are_shown(message.conversation):
        return shown
    return msgspec.structs.replace(shown, follow_ups=questions)


def visible_follow_ups(message: Message) -> tuple[str, ...]:
    """Return the questions of a chat's last answer, whether or not its owner wants any."""
    questions = message.follow_ups
    if not questions or message.hidden_at or not effective.suggests_questions():
        return ()
    return tuple(questions)


def _are_shown(conversation: Conversation) -> bool:
    """Return whether the owner wants questions. Visitors see none while a person answers them."""
    owner = conversation.owner
    if not owner.is_visitor:
        return Preferences.of(owner).shows_follow_ups
    return visits.suggests_questions(owner.pk) and not takeover.current(conversation.pk)
