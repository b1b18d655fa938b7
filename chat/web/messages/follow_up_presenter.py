"""Show the questions that are suggested after the last answer, to its member."""

import msgspec

from chat.accounts.preferences import Preferences
from chat.conversations.models import Message
from chat.generations.models import Generation
from chat.site_settings import effective
from chat.web.messages.message_out import MessageOut


def with_follow_ups(shown: MessageOut, message: Message) -> MessageOut:
    """Return an answer with its questions, unless the site or its owner hides them.

    Of answers that are compared, none has any: the chat first has to go on with one of them.
    """
    questions = message.follow_ups
    if not questions or not effective.suggests_questions():
        return shown
    if shown.is_hidden or shown.pair or shown.state != Generation.State.COMPLETE:
        return shown
    if not Preferences.of(message.conversation.owner).shows_follow_ups:
        return shown
    return msgspec.structs.replace(shown, follow_ups=tuple(questions))
