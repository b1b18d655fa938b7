"""What is compiled once finds and stores what the ORM would each time."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F, QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.database.prepared import AnyOf, PreparedInsert, PreparedQuery, PreparedUpdate
from chat.generations.models import Generation
from chat.quotas.models import Charge

pytestmark = pytest.mark.django_db(transaction=True)
conversations, messages, charges = map(PreparedInsert, (Conversation, Message, Charge))
conversation_with = PreparedQuery(lambda pk: Conversation.objects.filter(pk=pk))


def fields(instance: object) -> dict[str, object]:
    return {name: value for name, value in vars(instance).items() if name != "_state"}


def chats_of(user_id: int) -> QuerySet[Conversation, tuple[object, ...]]:
    found = Conversation.objects.filter(owner=user_id).order_by("title")
    return found.values_list("title", "id", "updated_at", "is_unread")[:2]


def test_each_call_has_its_own_parameters_and_converted_values(alice: User, bob: User) -> None:
    query = PreparedQuery(chats_of)
    for owner in (alice, bob, alice):
        Conversation.objects.create(owner=owner, title=f"☕ of {owner.pk}")
        assert query.all(owner.pk) == list(chats_of(owner.pk))
        assert query.all(owner.pk)


def test_a_query_is_built_once(alice: User, bob: User) -> None:
    built = []

    def build(user_id: int) -> QuerySet[Conversation, tuple[object, ...]]:
        built.append(user_id)
        return chats_of(user_id)

    query = PreparedQuery(build)
    query.all(alice.pk)
    query.all(bob.pk)
    assert len(built) == 1


def test_a_query_that_ignores_its_parameter_is_refused() -> None:
    query = PreparedQuery(lambda _user_id: chats_of(1))
    with pytest.raises(ValueError, match="all of its parameters"):
        query.all(7)


def test_a_query_whose_results_would_lack_something_is_refused() -> None:
    with pytest.raises(TypeError, match="nothing besides"):
        PreparedQuery(lambda pk: Message.objects.select_related("parent").filter(pk=pk)).all(1)


def test_a_list_is_one_parameter_of_any_length(alice: User) -> None:
    found = [Conversation.objects.create(owner=alice, title=f"{n}") for n in range(3)]
    query = PreparedQuery(
        lambda ids: (
            Conversation.objects.filter(AnyOf("pk", ids))
            .order_by("title")
            .values_list("title", flat=True)
        )
    )
    assert query.all([]) == []
    assert query.all([found[2].pk, found[0].pk, uuid.uuid4()]) == ["0", "2"]
    assert query.count([each.pk for each in found]) == 3


def test_an_inserted_row_is_read_equally_by_both(alice: User) -> None:
    made = conversations.one(
        Conversation(owner=alice, title="‮ ☕", generation_settings={"name": "Ada", "n": 1.5})
    )
    by_django = Conversation.objects.get(pk=made.pk)
    by_us = conversation_with.first(made.pk)
    assert by_us is not None
    assert fields(by_us) == fields(by_django)
    assert by_us == by_django
    assert by_us.created_at.tzinfo is not None
    assert conversation_with.first(uuid.uuid4()) is None


def test_the_database_assigns_a_missing_primary_key(alice: User) -> None:
    chat = conversations.one(Conversation(owner=alice))
    first, second = (messages.one(Message(conversation=chat, role="user")) for _ in range(2))
    assert first.pk < second.pk
    assert set(chat.messages.values_list("pk", flat=True)) == {first.pk, second.pk}
    second.text = "changed"
    second.save()  # Django knows that the row is there
    assert Message.objects.get(pk=second.pk).text == "changed"


def test_json_uuids_and_times_survive(alice: User) -> None:
    moment = timezone.now() - timedelta(days=3)
    given = Charge(
        user=alice, keys=["everyone", "user:1"], model="m", prompt_tokens=1, created_at=moment,
        tokens=2, millineurons=3, microdollars=4,
    )  # fmt: skip
    charges.one(given)
    query = PreparedQuery(lambda pk, at: Charge.objects.filter(pk=pk, created_at=at))
    found = query.first(given.pk, moment)
    assert found is not None
    assert fields(found) == fields(Charge.objects.get(pk=given.pk))
    assert (found.keys, found.created_at, found.settled_at) == (given.keys, moment, None)


def test_a_second_row_with_the_same_key_is_refused(alice: User) -> None:
    chat = conversations.one(Conversation(owner=alice))
    answer = messages.one(Message(conversation=chat, role="assistant"))
    generations = PreparedInsert(Generation)

    def generation() -> Generation:
        return Generation(owner=alice, message=answer, model="m", send_key="k", send_digest="d")

    generations.one(generation())
    with pytest.raises(IntegrityError), transaction.atomic():
        generations.one(generation())


def test_an_update_returns_the_results_as_they_are_then(alice: User, bob: User) -> None:
    chat = Conversation.objects.create(owner=alice, title="before")
    update = PreparedUpdate(
        lambda owner, pk, title: (
            Conversation.objects.filter(owner=owner, pk=pk),
            {"title": title, "revision": F("revision") + 1},
        )
    )
    with CaptureQueriesContext(connection) as queries:
        (found,) = update.returning(alice.pk, chat.pk, "after")
    assert len(queries) == 1
    assert (found.title, found.revision) == ("after", chat.revision + 1)
    assert fields(found) == fields(Conversation.objects.get(pk=chat.pk))
    assert update.returning(bob.pk, chat.pk, "stolen") == []
    assert update.run(bob.pk, chat.pk, "stolen") == 0
    assert update.run(alice.pk, chat.pk, "again") == 1


def test_one_update_runs_with_many_values(alice: User) -> None:
    chats = [Conversation.objects.create(owner=alice) for _ in range(2)]
    update = PreparedUpdate(lambda pk, at: (Conversation.objects.filter(pk=pk), {"closed_at": at}))
    moments = [timezone.now() - timedelta(days=n) for n in range(2)]
    update.run_many([(chats[0].pk, moments[0]), (chats[1].pk, moments[1])])
    update.run_many([])
    assert [Conversation.objects.get(pk=each.pk).closed_at for each in chats] == moments
