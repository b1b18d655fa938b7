"""The statements of a flush store and read the same as the ORM."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.turns import add_answer, post_question, start_conversation
from chat.generations.models import Generation, LogPage
from chat.generations.storage.flush_statements import insert_pages, requested_stops

pytestmark = pytest.mark.django_db


def stored_generation(owner: User) -> Generation:
    answer = add_answer(post_question(start_conversation(owner.pk), "What?", None))
    return Generation.objects.create(
        owner=owner, message=answer, model="m", send_key=uuid.uuid4().hex, send_digest="d"
    )


def test_the_orm_reads_the_inserted_pages(alice: User) -> None:
    first, second = (stored_generation(alice) for _ in range(2))
    insert_pages([(first.id, 1, 3, b"id: 1\n\x00\xff"), (second.id, 1, 1, b"%s'\"")])
    insert_pages([(first.id, 4, 4, b"more")])
    rows = LogPage.objects.order_by("id").values_list(
        "generation_id", "first_seq", "last_seq", "frames"
    )
    assert [(*row[:3], bytes(row[3])) for row in rows] == [
        (first.id, 1, 3, b"id: 1\n\x00\xff"),
        (second.id, 1, 1, b"%s'\""),
        (first.id, 4, 4, b"more"),
    ]
    ages = [timezone.now() - page.written_at for page in LogPage.objects.all()]
    assert timedelta(0) <= max(ages) < timedelta(minutes=5)


def test_a_page_that_was_already_stored_is_replaced(alice: User) -> None:
    generation = stored_generation(alice)
    insert_pages([(generation.id, 1, 1, b"a")])
    insert_pages([(generation.id, 1, 2, b"ab")])
    (page,) = generation.pages.all()
    assert (page.first_seq, page.last_seq, bytes(page.frames)) == (1, 2, b"ab")


def test_without_generations_no_query_is_made() -> None:
    with CaptureQueriesContext(connection) as queries:
        insert_pages([])
    assert len(queries) == 0


def test_requested_stops_are_returned_with_their_cause(alice: User) -> None:
    going, stopped, muted = (stored_generation(alice) for _ in range(3))
    Generation.objects.filter(id=stopped.id).update(stop_requested=True)
    Generation.objects.filter(id=muted.id).update(
        stop_requested=True, stop_cause=Generation.Cause.values[0]
    )
    assert requested_stops({going.id, stopped.id, muted.id, uuid.uuid4()}) == {
        going.id: (False, None),
        stopped.id: (True, None),
        muted.id: (True, Generation.Cause.values[0]),
    }
    assert requested_stops(set()) == {}


def test_a_flush_makes_as_many_queries_for_many_answers_as_for_one(alice: User) -> None:
    many = [stored_generation(alice) for _ in range(40)]
    with CaptureQueriesContext(connection) as queries:
        insert_pages([(each.id, 1, 1, b"a") for each in many])
        requested_stops({each.id for each in many})
    assert len(queries) == 2
    assert LogPage.objects.count() == 40
