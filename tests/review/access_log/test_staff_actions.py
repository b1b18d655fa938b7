"""Every staff action is logged, and these entries cannot be changed either."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.db import DatabaseError, connection, transaction

from chat.accounts.models import User
from chat.review import triggers
from chat.review.access_log.audit_chain import digest_of, seal_days, verify
from chat.review.access_log.queries import actions_for
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.append_only import AppendOnlyViolation
from chat.review.models import AccessLogEntry, AuditSeal
from chat.review.staff import privacy
from tests.review.conftest import recorded_actions, staff_context_of
from tests.support.web.signed_in import signed_in_client

LONG_AGO = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
Kind = StaffAction.Kind


@pytest.fixture
def action(administrator: User, alice: User) -> StaffAction:
    with transaction.atomic():
        return record_action(
            staff_context_of(administrator, "Report 7 of May"), Kind.WARNED, person=alice.pk
        )


def test_an_action_says_who_did_what_to_whom_and_why(
    action: StaffAction, administrator: User, alice: User
) -> None:
    row = recorded_actions().get()
    assert (row.actor, row.kind, row.person) == (administrator.pk, "warned", alice.pk)
    assert (row.reason, row.detail, row.conversation) == ("Report 7 of May", "", None)


def test_recording_outside_a_transaction_is_an_error(administrator: User) -> None:
    with pytest.raises(RuntimeError):
        record_action(staff_context_of(administrator), Kind.STOPPED)


def test_the_model_refuses_to_change_an_action(action: StaffAction) -> None:
    for change in (
        action.save,
        action.delete,
        StaffAction.objects.all().delete,
        lambda: StaffAction.objects.update(reason="x"),
        lambda: StaffAction.objects.bulk_update([action], ["reason"]),
    ):
        with pytest.raises(AppendOnlyViolation):
            change()


@pytest.mark.parametrize(
    "statement", ["UPDATE chat_staffaction SET reason = 'x'", "DELETE FROM chat_staffaction"]
)
def test_the_database_refuses_to_change_an_action(action: StaffAction, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="rows of chat_staffaction stay as they are"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert recorded_actions().get().reason == "Report 7 of May"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE")
def test_the_database_refuses_to_empty_the_table(action: StaffAction) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE chat_staffaction")


def test_a_day_without_actions_keeps_its_digest(transactional_db: None, settings: Any) -> None:
    """Seals from before actions were logged stay valid."""
    settings.AUDIT_KEY = "a key"
    chat = UUID(int=7)
    AccessLogEntry.objects.create(
        pk=3, at=LONG_AGO, reader=1, owner=2, conversation=chat, kind="read", reason="ä|b"
    )
    digest = "895308579fd835d414b0980b0d682110b7b12b9c155214d8e49d8bc68942b4dc"
    assert digest_of(LONG_AGO.date(), None) == (1, digest)
    StaffAction.objects.create(at=LONG_AGO, actor=1, kind=Kind.WARNED, person=2)
    count, other = digest_of(LONG_AGO.date(), None)
    assert (count, other != digest) == (2, True)


@pytest.mark.parametrize(
    "change",
    ["DELETE FROM chat_staffaction", "UPDATE chat_staffaction SET reason = 'x'", "UPDATE chat_staffaction SET detail = 'x'",
     "UPDATE chat_staffaction SET person = 9", "UPDATE chat_staffaction SET kind = 'shown'"],
)  # fmt: skip
def test_a_changed_action_on_a_sealed_day_is_detected(transactional_db: None, change: str) -> None:
    StaffAction.objects.create(at=LONG_AGO, actor=1, kind=Kind.WARNED, person=2)
    seal_days()
    assert AuditSeal.objects.earliest("day").rows == 1
    assert not any(each.problem for each in verify())
    with connection.cursor() as cursor:
        triggers.drop_append_only(cursor, connection.vendor)
        cursor.execute(change)
        triggers.make_append_only(cursor, connection.vendor)
    assert any(each.problem for each in verify())


def test_leads_see_actions_in_their_scope(
    action: StaffAction, reviewer: User, administrator: User, alice: User, bob: User
) -> None:
    other = StaffAction.objects.create(actor=administrator.pk, kind=Kind.WARNED, person=bob.pk)
    own = StaffAction.objects.create(actor=reviewer.pk, kind=Kind.RULES_CHANGED)
    assert [each for each in actions_for(staff_context_of(reviewer).reviewer) if each.actor] == [
        own,
        action,
    ]
    shown = [each for each in actions_for(staff_context_of(administrator).reviewer) if each.actor]
    assert shown == [own, other, action]


async def test_the_page_lists_actions(
    action: StaffAction,
    lead: User,
    alice: User,
    bob: User,
    pupils: Group,
    stop_server_process: None,
) -> None:
    await StaffAction.objects.acreate(
        actor=lead.pk, kind=Kind.SUSPENDED, person=bob.pk, detail="for good"
    )
    lead_client = await sync_to_async(signed_in_client)(lead)
    shown = (await lead_client.get("/review/audit/actions/")).content.decode()
    for words in ("warned a user", "Report 7 of May", "Alice", "Adam", "suspended", "for good", "Bob",
                  "System", "changed a group", "+ Pupils"):  # fmt: skip
        assert words in shown, words
    shown = (await lead_client.get("/review/audit/actions/", {"who": lead.pk})).content.decode()
    assert "Bob" in shown
    assert "Alice" not in shown


async def test_with_pseudonyms_no_name_is_shown(
    action: StaffAction,
    lead: User,
    administrator: User,
    alice: User,
    settings: Any,
    stop_server_process: None,
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    await StaffAction.objects.acreate(actor=lead.pk, kind=Kind.WARNED, person=lead.pk)
    for detail in ("new@example.org", "− old@example.org"):  # as it was once stored
        await StaffAction.objects.acreate(actor=administrator.pk, kind=Kind.INVITED, detail=detail)
    lead_client, administrator_client = [
        await sync_to_async(signed_in_client)(each) for each in (lead, administrator)
    ]
    shown = (await lead_client.get("/review/audit/actions/")).content.decode()
    assert "invited a user" in shown
    assert "@example.org<" not in shown
    assert (
        "new@example.org"
        in (await administrator_client.get("/review/audit/actions/")).content.decode()
    )
    # Whose code it is cannot be asked for by a number.
    for person in (alice.pk, lead.pk):
        asked = await lead_client.get("/review/audit/actions/", {"person": person})
        assert privacy.pseudonym(person) not in asked.content.decode()
    code = privacy.pseudonym(lead.pk)
    asked = await lead_client.get("/review/audit/actions/", {"person": code})
    assert f"Person {code}" in asked.content.decode()
