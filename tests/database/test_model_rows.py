"""Rows read and written by our own statements are the same as the ORM's."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.database.model_rows import ModelRows
from chat.generations.models import Generation
from chat.quotas.models import Charge

pytestmark = pytest.mark.django_db(transaction=True)
conversations, messages, charges = ModelRows(Conversation), ModelRows(Message), ModelRows(Charge)


def fields(instance: object) -> dict[str, object]:
    return {name: value for name, value in vars(instance).items() if name != "_state"}


def test_an_inserted_row_is_read_equally_by_both(alice: User) -> None:
    made = conversations.insert(
        Conversation(owner=alice, title="‮ ☕", generation_settings={"name": "Ada", "n": 1.5})
    )
    by_django = Conversation.objects.get(pk=made.pk)
    by_us = conversations.first("id = %s", made.pk)
    assert by_us is not None
    assert fields(by_us) == fields(by_django)
    assert by_us == by_django
    assert by_us.created_at.tzinfo is not None


def test_the_database_assigns_a_missing_primary_key(alice: User) -> None:
    chat = conversations.insert(Conversation(owner=alice))
    first, second = (messages.insert(Message(conversation=chat, role="user")) for _ in range(2))
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
    charges.insert(given)
    found = charges.first("id = %s AND created_at = %s", given.pk, moment)
    assert found is not None
    assert fields(found) == fields(Charge.objects.get(pk=given.pk))
    assert (found.keys, found.created_at, found.settled_at) == (given.keys, moment, None)


def test_a_second_row_with_the_same_key_is_refused(alice: User) -> None:
    chat = conversations.insert(Conversation(owner=alice))
    answer = messages.insert(Message(conversation=chat, role="assistant"))
    rows = ModelRows(Generation)

    def generation() -> Generation:
        return Generation(owner=alice, message=answer, model="m", send_key="k", send_digest="d")

    rows.insert(generation())
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.insert(generation())
    assert rows.first("id = %s", uuid.uuid4()) is None
