"""Find the question that a send is about, and add its turn."""

from django.utils.translation import gettext_lazy as _

from chat.conversations import access, turns
from chat.conversations.conversation_errors import MessageHidden
from chat.conversations.images import message_images
from chat.conversations.models import Conversation
from chat.conversations.models import Message as StoredMessage
from chat.errors import BadRequest, Conflict
from chat.generations.models import Generation
from chat.lib.catalogue import Model


def add_turn(
    conversation: Conversation,
    text: str | None,
    parent: StoredMessage | None,
    retry: int | None,
    page_context: str,
    *,
    is_new: bool = False,
) -> tuple[StoredMessage, StoredMessage]:
    """Return the answer to write and its question, which `retry` names or `text` adds.

    `is_new` says that the conversation was started with it.
    """
    if retry is not None:
        question = question_to_answer(conversation, retry)
        if question is None:
            raise BadRequest(_("There's no question to answer again."))
        if question.hidden_at:
            raise MessageHidden
    else:
        question = turns.post_question(
            conversation, text or "", parent, None, page_context, is_new=is_new
        )
    return turns.add_answer(question, has_room=retry is None), question


def attach_images(question: StoredMessage, user_id: int, *, is_new: bool, model: Model) -> None:
    """Attach the images of a new question. Raise the errors of chat.conversations.images."""
    message_images.require_readable(question.text, reads_images=model.vision)
    if is_new:
        message_images.attach(question, user_id)


def question_to_answer(conversation: Conversation, message_id: int) -> StoredMessage | None:
    """Return the question of an answer to retry, or the question itself if it has no answer.

    A question that was written to a person may have none. Raise `BadRequest` if it has one.
    """
    message = access.message_of(conversation, message_id)
    if message.role != StoredMessage.Role.USER:
        return answer_of(conversation, message_id).parent
    if conversation.visible_messages.filter(parent=message).exists():
        raise BadRequest(_("You can only retry or continue answers."))
    return message


def answer_of(conversation: Conversation, message_id: int) -> StoredMessage:
    """Return the answer to retry or continue.

    Raise `BadRequest` if it is a question, `Conflict` if it is still being written.
    """
    answer = access.message_of(conversation, message_id)
    if answer.role != StoredMessage.Role.ASSISTANT:
        raise BadRequest(_("You can only retry or continue answers."))
    if answer.generations.filter(state=Generation.State.RUNNING).exists():
        raise Conflict(_("This answer is still being written."))
    return answer
