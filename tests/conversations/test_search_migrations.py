"""The search index survives migrations, and gets messages stored without it."""

import pytest
from django.core.management import call_command
from django.db import connection

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.conversations.search import index_setup
from chat.conversations.search.messages import Order, find_messages
from chat.conversations.search.query import parse
from chat.review import trigger_setup as review


def count_found(user: User, query: str) -> int:
    return len(find_messages(user.pk, parse(query), Order.NEWEST).hits)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="triggers of PostgreSQL stay")
def test_the_index_survives_a_recreated_table(alice: User) -> None:
    conversation = turns.start_conversation(alice.pk)
    conversation.messages.create(role="user", text="a river")
    for each in (index_setup, review):
        each.before_migrations("default", plan=["something"])
    gone = conversation.messages.create(role="user", text="said while there are no triggers")
    with connection.schema_editor() as editor:
        for model in (Conversation, Message):
            editor._remake_table(model)  # as changing a column does
    for each in (index_setup, review):
        each.after_migrations("default", plan=["something"])
    assert count_found(alice, "river") == 1
    assert count_found(alice, "triggers") == 1
    gone.delete()
    conversation.messages.create(role="user", text="a delta")
    assert (count_found(alice, "triggers"), count_found(alice, "delta")) == (0, 1)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="triggers of PostgreSQL stay")
def test_a_failed_migration_is_repaired_at_the_next_start(alice: User) -> None:
    conversation = turns.start_conversation(alice.pk)
    index_setup.before_migrations("default", plan=["something"])
    conversation.messages.create(role="user", text="a river")
    assert count_found(alice, "river") == 0
    call_command("migrate", verbosity=0)
    assert count_found(alice, "river") == 1
