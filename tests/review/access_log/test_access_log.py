"""Everything that staff see is logged, and log entries cannot be changed."""

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, connection, transaction

from chat.accounts.models import User
from chat.conversations.access import message_of
from chat.errors import NotFound
from chat.generations.deletion.soft_delete import delete, delete_account
from chat.review import access
from chat.review.access_log.staff_context import Kind, Seen, record_access
from chat.review.append_only import AppendOnlyViolation
from chat.review.models import AccessLogEntry, ReviewScope
from tests.review.conftest import give, only_message, say, staff_context_of


def rows() -> list[tuple[str, int, int]]:
    return list(AccessLogEntry.objects.order_by("id").values_list("kind", "reader", "owner"))


def test_reading_adds_an_entry(reviewer: User, alice: User) -> None:
    chat = say(alice, "Where do rivers begin?", "In the hills.")
    read = access.read_branch(staff_context_of(reviewer, "Report 7 of May"), chat.pk)
    assert [each.text for each in read.part.messages] == ["Where do rivers begin?", "In the hills."]
    row = AccessLogEntry.objects.get()
    assert (row.reader, row.owner, row.conversation) == (reviewer.pk, alice.pk, chat.pk)
    assert (row.kind, row.reason, row.message) == ("read", "Report 7 of May", None)


def test_a_list_adds_an_entry_for_each_title(reviewer: User, alice: User, bob: User) -> None:
    chats = [say(alice, "One"), say(alice, "Two"), say(bob, "Three")]
    shown = access.read_titles(staff_context_of(reviewer), [each.pk for each in chats])
    assert [each.title for each in shown] == ["One", "Two"]
    assert rows() == [("listed", reviewer.pk, alice.pk)] * 2


def test_a_search_hit_adds_an_entry_that_names_the_message(
    reviewer: User, alice: User, bob: User
) -> None:
    hers, his = only_message(say(alice, "Rivers")), only_message(say(bob, "Rivers"))
    assert access.read_hits(staff_context_of(reviewer), [his.pk, hers.pk]) == [hers]
    assert AccessLogEntry.objects.get().message == hers.pk


@pytest.mark.every_variant
@pytest.mark.parametrize(
    "verb", ["read_branch", "open_conversation", "exists", "read_titles", "read_hits"]
)
def test_chats_out_of_scope_are_not_found(reviewer: User, bob: User, verb: str) -> None:
    chat, look = say(bob, "Rivers"), staff_context_of(reviewer)
    if verb in {"read_branch", "open_conversation"}:
        with pytest.raises(NotFound):
            access.read_branch(
                look, chat.pk
            ) if verb == "read_branch" else access.open_conversation(look, chat.pk, Kind.READ)
    elif verb == "exists":
        assert not access.exists(look, chat.pk)
    elif verb == "read_titles":
        assert access.read_titles(look, [chat.pk]) == []
    else:
        assert access.read_hits(look, [only_message(chat).pk]) == []
    assert rows() == []


def test_a_chat_deleted_by_its_owner_is_not_found(administrator: User, alice: User) -> None:
    chat, look = say(alice, "Rivers"), staff_context_of(administrator)
    message = only_message(chat)
    delete(chat)
    with pytest.raises(NotFound):
        access.read_branch(look, chat.pk)
    assert access.read_hits(look, [message.pk]) == []
    delete_account(alice)
    assert access.read_titles(look, [chat.pk]) == []


def test_a_message_of_another_conversation_is_not_found(
    administrator: User, alice: User, bob: User
) -> None:
    hers, his = say(alice, "Rivers"), say(bob, "Lakes")
    foreign = only_message(his)
    with pytest.raises(NotFound):
        access.read_branch(staff_context_of(administrator), hers.pk, at=foreign.pk)
    assert rows() == []  # one transaction: nothing was shown, nothing is on record
    assert message_of(his, foreign.pk)


@pytest.mark.parametrize("mode", ["off"])
def test_with_review_turned_off_nothing_is_found(
    administrator: User, alice: User, settings: object, mode: str
) -> None:
    chat = say(alice, "Rivers")
    settings.REVIEW_PRIVACY = mode  # type: ignore[attr-defined]
    with pytest.raises(NotFound):
        access.read_branch(staff_context_of(administrator), chat.pk)
    with pytest.raises(NotFound):
        access.read_titles(staff_context_of(administrator), [chat.pk])
    assert rows() == []


def test_recording_outside_a_transaction_is_an_error(administrator: User, alice: User) -> None:
    chat = say(alice, "Rivers")
    with pytest.raises(RuntimeError):
        record_access(staff_context_of(administrator), Kind.READ, [Seen(alice.pk, chat.pk)])


@pytest.fixture
def row(administrator: User, alice: User) -> AccessLogEntry:
    access.read_branch(staff_context_of(administrator), say(alice, "Rivers").pk)
    return AccessLogEntry.objects.get()


def test_the_model_refuses_to_change_an_entry(row: AccessLogEntry) -> None:
    row.reason = "another"
    for change in (
        row.save,
        row.delete,
        AccessLogEntry.objects.all().delete,
        lambda: AccessLogEntry.objects.update(reason="x"),
        lambda: AccessLogEntry.objects.bulk_update([row], ["reason"]),
    ):
        with pytest.raises(AppendOnlyViolation):
            change()


@pytest.mark.parametrize(
    "statement", ["UPDATE chat_accesslogentry SET reason = 'x'", "DELETE FROM chat_accesslogentry"]
)
def test_the_database_refuses_to_change_an_entry(row: AccessLogEntry, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="stay as they are"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert AccessLogEntry.objects.get().reason == "A report of today"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE")
def test_the_database_refuses_to_empty_the_table(row: AccessLogEntry) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE chat_accesslogentry")


def test_an_entry_outlives_the_account(
    row: AccessLogEntry, alice: User, administrator: User
) -> None:
    before = AccessLogEntry.objects.values().get()
    alice.conversations.all().delete()
    alice.delete()
    administrator.delete()
    assert AccessLogEntry.objects.values().get() == before


def test_a_group_of_staff_shares_its_scope(rita: User, alice: User, pupils: Group) -> None:
    team = Group.objects.create(name="Counsellors")
    ReviewScope.objects.create(team=team, members=pupils)
    rita.groups.add(team)
    chat = say(alice, "Rivers")
    assert access.exists(staff_context_of(give(rita, "review")), chat.pk)
