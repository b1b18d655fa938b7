"""A send is planned before it takes the conversation's lock: what changes in between counts."""

import uuid
from dataclasses import replace

import pytest

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations import access, redaction
from chat.conversations.errors import ChatClosed, MessageHidden
from chat.conversations.models import Conversation, Message
from chat.errors import Conflict, Deleted, NotFound
from chat.generations.models import Generation
from chat.generations.send.plan import SendPlan, plan
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent
from chat.generations.send.store import PlanOutdated, store
from chat.personas.models import Persona
from chat.upstream import available_models

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def who(alice: User) -> Principal:
    return Principal(key=f"user:{alice.pk}", user_id=alice.pk)


@pytest.fixture
def chat(alice: User) -> Conversation:
    made = Conversation.objects.create(owner=alice, title="Rivers")
    question = made.messages.create(role="user", text="Why do rivers bend?")
    made.messages.create(role="assistant", text="Water", parent=question)
    return made


def planned(who: Principal, chat: Conversation | None, **fields: object) -> tuple[Send, SendPlan]:
    send = Send(key=uuid.uuid4().hex, **fields)  # type: ignore[arg-type]
    found = plan(who, chat.pk if chat else None, send, available_models.find(None))
    assert isinstance(found, SendPlan)
    return send, found


def stored(who: Principal, chat: Conversation | None, send: Send, made: SendPlan) -> Sent:
    model = available_models.find(None)
    sent = store(who, chat.pk if chat else None, send, model, None, made)
    assert isinstance(sent, Sent)
    return sent


def test_a_chat_that_was_closed_takes_no_message(who: Principal, chat: Conversation) -> None:
    send, made = planned(who, chat, text="And?")
    Conversation.objects.filter(pk=chat.pk).update(closed_at=chat.created_at)
    with pytest.raises(ChatClosed):
        stored(who, chat, send, made)
    assert chat.messages.count() == 2


def test_a_chat_that_was_deleted_takes_no_message(who: Principal, chat: Conversation) -> None:
    send, made = planned(who, chat, text="And?")
    Conversation.objects.filter(pk=chat.pk).update(purge_after=chat.created_at)
    with pytest.raises((Deleted, NotFound)):
        stored(who, chat, send, made)
    assert not Generation.objects.exists()


def test_an_answer_is_continued_once(who: Principal, chat: Conversation) -> None:
    answer = chat.messages.get(role="assistant")
    first, second = (planned(who, chat, resume=answer.pk) for _ in range(2))
    stored(who, chat, *first)
    with pytest.raises(Conflict):
        stored(who, chat, *second)
    assert Generation.objects.count() == 1


def test_a_model_reads_nothing_that_was_hidden(who: Principal, chat: Conversation) -> None:
    send, made = planned(who, chat, text="And?")
    redaction.redact(chat.messages.get(role="assistant"))
    assert "Water" not in [each.content for each in stored(who, chat, send, made).history]


def test_a_question_that_was_hidden_is_not_answered_again(
    who: Principal, chat: Conversation
) -> None:
    send, made = planned(who, chat, retry=chat.messages.get(role="assistant").pk)
    redaction.redact(chat.messages.get(role="user"))
    with pytest.raises(MessageHidden):
        stored(who, chat, send, made)


def test_a_title_that_was_changed_stays(who: Principal, chat: Conversation) -> None:
    send, made = planned(who, chat, text="And?")
    Conversation.objects.filter(pk=chat.pk).update(title="Meanders")
    stored(who, chat, send, made)
    chat.refresh_from_db()
    assert chat.title == "Meanders"


def test_a_persona_that_was_deleted_is_said_to_be(who: Principal, alice: User) -> None:
    persona = Persona.objects.create(owner=alice, name="Pirate")
    send, made = planned(who, None, text="Hello", persona=persona.pk)
    persona.delete()
    with pytest.raises(NotFound, match="persona"):
        stored(who, None, send, made)
    assert not Conversation.objects.exists()


def test_whoever_locks_a_conversation_raises_its_revision(
    who: Principal, chat: Conversation
) -> None:
    before = access.conversation_of(who.user_id, chat.pk).revision
    access.conversation_of(who.user_id, chat.pk, to_change=True)
    access.locked(chat.pk)
    access.raise_revision(chat.pk)
    assert access.conversation_of(who.user_id, chat.pk).revision == before + 3
    assert Message.objects.count() == 2


def test_what_was_for_a_person_is_planned_again_for_a_model(
    who: Principal, chat: Conversation
) -> None:
    send, made = planned(who, chat, text="And?")
    access.raise_revision(chat.pk)
    with pytest.raises(PlanOutdated):  # nothing has checked it for a model
        stored(who, chat, send, replace(made, answer=None))
    assert chat.messages.count() == 2


@pytest.mark.parametrize("has_changed", [True, False])
def test_what_a_check_has_found_is_stored_with_the_question(
    who: Principal, chat: Conversation, has_changed: bool
) -> None:
    send, made = planned(who, chat, text="And?")
    assert made.answer
    noted: list[int] = []
    made = replace(made, answer=replace(made.answer, at_storing=[noted.append]))
    if has_changed:
        access.raise_revision(chat.pk)
    assert noted == [stored(who, chat, send, made).question_id]
