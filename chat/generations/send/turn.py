"""Find the messages that a send is about: what it follows, answers again, or continues."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from chat.accounts.principals import Principal
from chat.conversations import access, turns
from chat.conversations.errors import MessageHidden
from chat.conversations.handoff import human_handoff
from chat.conversations.models import Conversation, Message
from chat.errors import BadRequest, Conflict
from chat.generations.models import Generation
from chat.generations.send.request import Send


@dataclass(frozen=True, slots=True)
class Turn:
    """The last message that the model reads, and the answer to continue, if there is one.

    A new question is not stored yet. To continue an answer, the model reads what exists of it.
    """

    asking: Message
    answer: Message | None = None

    @property
    def new_messages(self) -> int:
        """Return how many messages storing this turn adds."""
        return 0 if self.answer else 1 if self.asking.pk else 2


def turn_of(principal: Principal, conversation: Conversation, send: Send, *, is_new: bool) -> Turn:
    """Return what the send is about.

    Raise `NotFound`, `BadRequest`, `Conflict` or `MessageHidden`.
    """
    if send.resume is not None:
        answer = _answer(conversation, send.resume)
        if answer.hidden_at:
            raise MessageHidden
        if answer.is_by_person:
            raise BadRequest(_("What a person wrote can't be continued."))
        return Turn(answer, answer)
    if send.beside is not None:
        return Turn(_question_beside(conversation, send.beside))
    if send.retry is not None:
        return Turn(_question_to_answer(conversation, send.retry))
    return Turn(
        Message(
            conversation=conversation,
            parent=_parent(principal, conversation, send, is_new=is_new),
            role=Message.Role.USER,
            text=send.text or "",
            page_context=send.page_context,
        )
    )


def _parent(
    principal: Principal, conversation: Conversation, send: Send, *, is_new: bool
) -> Message | None:
    """Return the message that the new one follows; None for a first message.

    If a staff member has had the conversation, it always comes last, whatever its page had loaded.
    Raise `NotFound` for a message of another conversation.
    """
    if is_new and not send.parent:
        return None
    if send.parent is None or human_handoff.was_taken_over(principal, conversation):
        return turns.last_message(conversation)
    return access.message_of(conversation, send.parent) if send.parent else None


def _question_beside(conversation: Conversation, answer_id: int) -> Message:
    """Return the question of the answer that another one is to be compared with."""
    answer = access.message_of(conversation, answer_id)
    if answer.role != Message.Role.ASSISTANT or answer.is_by_person or answer.parent is None:
        raise BadRequest(_("Only the answer of a model can be compared."))
    if answer.hidden_at or answer.parent.hidden_at:
        raise MessageHidden
    return answer.parent


def _question_to_answer(conversation: Conversation, message_id: int) -> Message:
    """Return the question of an answer to retry, or the question itself if it has no answer.

    A question that was written to a person may have none. Raise `BadRequest` if it has one.
    """
    message = access.message_of(conversation, message_id)
    question: Message | None = message
    if message.role != Message.Role.USER:
        question = _answer(conversation, message_id).parent
    elif conversation.visible_messages.filter(parent=message).exists():
        raise BadRequest(_("You can only retry or continue answers."))
    if question is None:
        raise BadRequest(_("There's no question to answer again."))
    if question.hidden_at:
        raise MessageHidden
    return question


def _answer(conversation: Conversation, message_id: int) -> Message:
    """Return the answer to retry or continue.

    Raise `BadRequest` if it is a question, `Conflict` if it is still being written.
    """
    answer = access.message_of(conversation, message_id)
    if answer.role != Message.Role.ASSISTANT:
        raise BadRequest(_("You can only retry or continue answers."))
    if answer.generations.filter(state=Generation.State.RUNNING).exists():
        raise Conflict(_("This answer is still being written."))
    return answer
