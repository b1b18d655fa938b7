"""Copies are identified by their origin, not by equal text or time."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.models import Conversation, Message
from chat.errors import NotFound
from chat.generations.deletion import purge, soft_delete, turn_deletion
from chat.import_export import import_reader
from chat.import_export.import_storage import DraftImport
from chat.sharing import redaction as shared
from chat.sharing.continue_chat import copy_shared_chat
from chat.sharing.links import Choices, make
from chat.sharing.models import SharedLink
from tests.import_export.trees import exported, new_conversation
from tests.support.database.bulk_steps import run_steps

ASKED, ANSWERED = "Go on.", "And so it flows."


@pytest.fixture
def chat(alice: User) -> Conversation:
    """Create a chat with two turns of equal text and time."""
    made = Conversation.objects.create(owner=alice, title="A river")
    now, last = timezone.now(), None
    for role, text in (("user", ASKED), ("assistant", ANSWERED)) * 2:
        last = made.messages.create(parent=last, role=role, text=text, created_at=now)
    return made


def hide(message: Message) -> None:
    for each, words in redaction.redact(message):
        shared.redact(each, words)


def show(message: Message) -> None:
    for each, words in redaction.unredact(message):
        shared.unredact(each, words)


def texts(chat: Conversation) -> list[str]:
    return list(chat.messages.order_by("id").values_list("text", flat=True))


def branched(chat: Conversation) -> Conversation:
    last = chat.messages.order_by("id").last()
    return run_steps(turn_deletion.branch_off(chat.owner_id, chat.pk, last.pk))


@pytest.mark.parametrize("index", range(4))
def test_hiding_one_of_two_equal_turns_leaves_the_other_visible(
    chat: Conversation, index: int
) -> None:
    copy = branched(chat)
    link = make(chat, Choices())
    whole = texts(chat)
    expected = [*whole[:index], "", *whole[index + 1 :]]
    message = chat.messages.order_by("id")[index]
    hide(message)
    assert texts(chat) == texts(copy) == expected
    assert [turn["text"] for turn in SharedLink.objects.get(pk=link.pk).turns] == expected
    show(message)
    assert texts(chat) == texts(copy) == whole
    assert SharedLink.objects.get(pk=link.pk).turns == link.turns


def test_a_copy_of_a_copy_is_hidden_even_if_the_first_copy_is_gone(chat: Conversation) -> None:
    copy = branched(chat)
    last = branched(copy)
    soft_delete.delete(chat)
    Conversation.all_objects.filter(pk=chat.pk).update(
        purge_after=timezone.now() - timedelta(days=1)
    )
    list(purge.steps())
    assert not Conversation.all_objects.filter(pk=chat.pk).exists()
    hide(last.messages.order_by("id")[0])
    assert texts(copy) == texts(last) == ["", ANSWERED, ASKED, ANSWERED]


def test_a_copy_made_through_ones_own_link_is_hidden_too(chat: Conversation, alice: User) -> None:
    mine = run_steps(copy_shared_chat(make(chat, Choices()), alice.pk))
    hide(chat.messages.order_by("id")[1])
    assert texts(mine) == [ASKED, "", ASKED, ANSWERED]
    show(mine.messages.order_by("id")[1])
    assert texts(chat) == texts(mine) == [ASKED, ANSWERED] * 2


def test_another_members_chat_is_not_hidden_along(chat: Conversation, bob: User) -> None:
    theirs = run_steps(copy_shared_chat(make(chat, Choices()), bob.pk))
    hide(chat.messages.order_by("id")[1])
    assert texts(theirs) == [ASKED, ANSWERED] * 2
    ids = list(chat.messages.order_by("id").values_list("pk", flat=True))
    assert list(theirs.messages.order_by("id").values_list("copied_from", flat=True)) == ids


def test_restoring_a_turn_restores_only_what_was_deleted_with_it(chat: Conversation) -> None:
    first, _answer, second, _other = chat.messages.order_by("id")
    given = chat.owner_id, chat.pk
    for question in (second, first):
        turn = turn_deletion.find_turn(*given, question.pk)
        run_steps(turn_deletion.delete_in_steps(*given, turn))
    Message.objects.update(deleted_at=timezone.now())  # as if both were of one moment
    with pytest.raises(NotFound):
        turn_deletion.find_turn(*given, _answer.pk, is_deleted=True)
    turn = turn_deletion.find_turn(*given, first.pk, is_deleted=True)
    run_steps(turn_deletion.restore_in_steps(*given, turn))
    assert texts_kept(chat) == [ASKED, ANSWERED]
    turn = turn_deletion.find_turn(*given, second.pk, is_deleted=True)
    run_steps(turn_deletion.restore_in_steps(*given, turn))
    assert texts_kept(chat) == [ASKED, ANSWERED] * 2


def texts_kept(chat: Conversation) -> list[str]:
    return list(chat.visible_messages.order_by("id").values_list("text", flat=True))


def test_a_later_question_is_restored_only_with_the_one_it_was_deleted_with(
    chat: Conversation,
) -> None:
    first, _answer, second, _other = chat.messages.order_by("id")
    given = chat.owner_id, chat.pk
    run_steps(turn_deletion.delete_in_steps(*given, turn_deletion.find_turn(*given, first.pk)))
    with pytest.raises(NotFound):
        turn_deletion.find_turn(*given, second.pk, is_deleted=True)


def test_an_import_shows_only_its_own_chats(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    made = new_conversation(alice)
    (file,) = import_reader.conversations_in(BytesIO(exported(made)))
    made.delete()
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    first, second = DraftImport(alice.pk), DraftImport(alice.pk)
    for each in (first, second):
        run_steps(each.add(file))
    assert first.publish() == 1
    assert Conversation.objects.count() == 1
