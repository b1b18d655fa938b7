"""Messages that were restored below a deleted one go with it, and keep no other row."""

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import branches
from chat.conversations.models import Conversation, Message
from chat.database import housekeeping
from chat.generations.deletion import turn_deletion
from tests.review.conftest import add_answer, say
from tests.support.database.bulk_steps import run_steps


def delete(chat: Conversation, question: Message) -> None:
    turn = turn_deletion.find_turn(chat.owner_id, chat.pk, question.pk)
    run_steps(turn_deletion.delete_in_steps(chat.owner_id, chat.pk, turn))


def remove_all() -> None:
    """Let the time pass in which a turn can be restored."""
    deleted = Message.objects.exclude(deleted_at=None)
    deleted.update(deleted_at=timezone.now() - timedelta(days=2))
    while branches.remove_deleted(30):
        pass


def test_a_restoration_whose_process_died_leaves_nothing_behind(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branches, "MARKED_ROWS", 1)
    chat, other = say(alice, "Question", "Answer"), say(bob, "Another", "Answer")
    question = chat.messages.get(role="user")
    for each in (chat, other):
        delete(each, each.messages.get(role="user"))
    turn = turn_deletion.find_turn(alice.pk, chat.pk, question.pk, is_deleted=True)
    steps = turn_deletion.restore_in_steps(alice.pk, chat.pk, turn)
    next(steps)
    steps.close()
    assert Message.objects.filter(deleted_at=None).exists()
    remove_all()
    assert not Message.objects.exists()
    assert not housekeeping.failing()


def test_a_turn_that_was_restored_below_a_deleted_one_goes_with_it(alice: User) -> None:
    chat = say(alice, "Question", "Answer")
    first, answer = chat.messages.order_by("id")
    second = chat.messages.create(role="user", text="And then?", parent=answer)
    add_answer(second, "Later")
    delete(chat, second)
    delete(chat, first)
    turn = turn_deletion.find_turn(alice.pk, chat.pk, second.pk, is_deleted=True)
    run_steps(turn_deletion.restore_in_steps(alice.pk, chat.pk, turn))
    remove_all()
    assert not chat.messages.exists()
    assert not housekeeping.failing()
