"""A query that was compiled once finds what Django would find each time."""

import pytest
from django.db.models import QuerySet

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.database.compiled_query import CompiledQuery

pytestmark = pytest.mark.django_db


def chats_of(user_id: int) -> QuerySet[Conversation, tuple[object, ...]]:
    found = Conversation.objects.filter(owner=user_id).order_by("title")
    return found.values_list("title", "id", "updated_at", "is_unread")[:2]


def test_each_call_has_its_own_parameters_and_converted_values(alice: User, bob: User) -> None:
    query = CompiledQuery(chats_of)
    for owner in (alice, bob, alice):
        Conversation.objects.create(owner=owner, title=f"☕ of {owner.pk}")
        assert query.rows(owner.pk) == list(chats_of(owner.pk))
        assert query.rows(owner.pk)


def test_the_query_is_built_once(alice: User, bob: User) -> None:
    built = []

    def build(user_id: int) -> QuerySet[Conversation, tuple[object, ...]]:
        built.append(user_id)
        return chats_of(user_id)

    query = CompiledQuery(build)
    query.rows(alice.pk)
    query.rows(bob.pk)
    assert len(built) == 1


def test_a_query_that_ignores_its_parameter_is_refused() -> None:
    query = CompiledQuery(lambda _user_id: chats_of(1))
    with pytest.raises(ValueError, match="all of its parameters"):
        query.rows(7)
