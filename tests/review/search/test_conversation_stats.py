"""ConversationStats follow every change of a conversation."""

import pytest
from django.db import connection, transaction

from chat.accounts.models import User
from chat.conversations.models import Message, Rating
from chat.generations.deletion.soft_delete import delete
from chat.generations.models import Generation
from chat.review import trigger_setup, triggers
from chat.review.models import ConversationStats
from tests.review.conftest import add_answer, only_message, say

State = ConversationStats.State


def test_new_conversations_have_stats(alice: User) -> None:
    chat = say(alice, "Rivers")
    stats = ConversationStats.objects.get()
    assert (stats.conversation_id, stats.owner_id) == (chat.pk, alice.pk)
    assert (stats.updated_at, stats.is_hidden) == (chat.updated_at, False)
    assert (stats.model_names, stats.states, stats.tokens, stats.cost_usd) == (" ", 0, 0, 0)


def test_stats_sum_up_all_answers(alice: User) -> None:
    chat = say(alice, "Rivers", "A", model="one", state="stopped", total_tokens=5, cost_usd=0.25)
    add_answer(only_message(chat), "B", model="two", state="running")
    add_answer(only_message(chat), "C", model="one", state="running")
    Generation.objects.filter(message__text="C").update(state="failed", cost_usd=0.5)
    Generation.objects.filter(message__text="C").update(ended_at=None)  # of no interest here
    stats = ConversationStats.objects.get()
    assert stats.model_names == " one two "
    assert stats.states == State.STOPPED | State.FAILED
    assert (stats.tokens, stats.cost_usd) == (5, 0.75)


def test_stats_count_ratings(alice: User) -> None:
    answer = Message.objects.filter(conversation=say(alice, "Rivers", "A")).last()
    rating = Rating.objects.create(message=answer, user=alice, value=1)
    assert (ConversationStats.objects.get().good, ConversationStats.objects.get().bad) == (1, 0)
    Rating.objects.update(value=-1)
    assert (ConversationStats.objects.get().good, ConversationStats.objects.get().bad) == (0, 1)
    rating.delete()
    assert (ConversationStats.objects.get().good, ConversationStats.objects.get().bad) == (0, 0)


def test_stats_are_deleted_with_the_conversation(alice: User) -> None:
    chat = say(alice, "Rivers", "A")
    delete(chat)
    assert ConversationStats.objects.get().is_hidden
    chat.delete()
    assert not ConversationStats.objects.exists()


def test_missing_stats_are_added(alice: User, bob: User) -> None:
    chat = say(alice, "Rivers", "A", model="one", state="stopped", total_tokens=5, cost_usd=0.25)
    answer = add_answer(only_message(chat), "B", model="two", state="failed")
    Rating.objects.create(message=answer, user=alice, value=-1)
    say(bob, "Lakes")
    before = list(ConversationStats.objects.order_by("pk").values())
    ConversationStats.objects.all().delete()
    with transaction.atomic(), connection.cursor() as cursor:
        triggers.fill(cursor, connection.vendor)
    after = list(ConversationStats.objects.order_by("pk").values())
    for row in (*before, *after):
        row["model_names"] = set(row["model_names"].split())
    assert after == before


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its triggers")
def test_triggers_survive_recreated_tables(alice: User) -> None:
    trigger_setup.before_migrations("default", plan=[object()])
    chat = say(alice, "Rivers")
    assert not ConversationStats.objects.exists()
    trigger_setup.after_migrations("default", plan=[])
    assert ConversationStats.objects.get().pk == chat.pk
    say(alice, "Lakes")
    assert ConversationStats.objects.count() == 2
