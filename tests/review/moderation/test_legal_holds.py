"""Legal hold: deleted chats are hidden at once and purged later, and owners are told."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import branches, legal_hold
from chat.conversations.access import conversation_of
from chat.conversations.models import Conversation, Message
from chat.conversations.ratings import Opinion
from chat.errors import NotFound
from chat.generations.deletion.soft_delete import delete, delete_account, delete_site
from chat.generations.deletion.turn_deletion import delete_in_steps, find_turn
from chat.indexing import documents
from chat.knowledge.access import website_collection
from chat.knowledge.models import Document
from chat.review import access
from chat.review.access_log.authority import InsufficientRole
from chat.review.cases import flags, holds
from chat.review.cases.holds import LegalHold
from chat.review.models import AccessLogEntry
from chat.review.moderation import content
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import only_message, recorded_actions, say, staff_context_of
from tests.support.database.bulk_steps import run_steps
from tests.support.database.retention import apply_retention
from tests.support.generations.purge import sweep
from tests.support.web.signed_in import signed_in, signed_in_client


@pytest.fixture
def chat(alice: User) -> Conversation:
    made = say(alice, "Rivers?", "In the hills.")
    holds.hold(made.pk, "case 1")
    return made


def gone(chat: Conversation) -> None:
    """Delete the chat as its owner, after the undo period."""
    delete(chat)
    Conversation.all_objects.filter(pk=chat.pk).update(purge_after=timezone.now())


def later(days: float) -> None:
    """Let so many days pass since the deletion."""
    for each in Conversation.all_objects.filter(purge_after__isnull=False):
        Conversation.all_objects.filter(pk=each.pk).update(
            purge_after=each.purge_after - timedelta(days=days)  # type: ignore[operator]
        )
    for said in Message.objects.filter(deleted_at__isnull=False):
        Message.objects.filter(pk=said.pk).update(
            deleted_at=said.deleted_at - timedelta(days=days)  # type: ignore[operator]
        )


def released_long_ago() -> None:
    """Let the time pass for which released holds go on, and sweep."""
    LegalHold.objects.filter(ends_at__isnull=False).update(ends_at=timezone.now())
    holds.end_due()
    sweep()


def test_a_held_chat_stays_until_the_last_hold_is_lifted(
    chat: Conversation, lead: User, alice: User
) -> None:
    content.hold(staff_context_of(lead), chat.pk)
    gone(chat)
    sweep()
    with pytest.raises(NotFound):
        conversation_of(alice.pk, chat.pk)
    assert Message.objects.count() == 2
    assert holds.release(chat.pk, "case 1")
    assert not holds.release(chat.pk, "case 1")
    released_long_ago()
    assert Message.objects.count() == 2
    content.release(staff_context_of(lead), chat.pk)
    sweep()
    assert Message.objects.count() == 2
    released_long_ago()
    assert not Conversation.all_objects.exists()
    assert not LegalHold.objects.exists()
    assert [each.kind for each in recorded_actions().order_by("id")] == ["held", "released"]


def test_nobody_holds_or_releases_their_own_chat_or_that_of_a_superior(
    lead: User, administrator: User
) -> None:
    own, above = say(lead, "Mine"), say(administrator, "Theirs")
    holds.hold(own.pk)
    for act in (
        lambda: content.release(staff_context_of(lead), own.pk),
        lambda: content.hold(staff_context_of(lead), above.pk),
    ):
        with pytest.raises(InsufficientRole):
            act()
    assert LegalHold.objects.get().conversation_id == own.pk
    content.release(staff_context_of(administrator), own.pk)
    assert not LegalHold.objects.filter(ends_at=None).exists()


def test_a_held_chat_is_purged_after_the_maximum_time(chat: Conversation) -> None:
    gone(chat)
    later(89.9)
    sweep()
    assert Message.objects.count() == 2
    later(0.2)
    sweep()
    assert not Conversation.all_objects.exists()


def test_with_zero_days_nothing_is_held(chat: Conversation, settings: Any) -> None:
    settings.HOLD_MAX_DAYS = 0
    assert legal_hold.latest_purge_at(chat) is None
    gone(chat)
    sweep()
    assert not Conversation.all_objects.exists()


def test_deleted_turns_are_held_too(chat: Conversation, lead: User, alice: User) -> None:
    question = only_message(chat)
    turn = find_turn(alice.pk, chat.pk, question.pk)
    run_steps(delete_in_steps(alice.pk, chat.pk, turn))
    later(1)
    assert branches.remove_deleted(30) == 0
    shown = access.read_branch(staff_context_of(lead), chat.pk).part.messages
    assert [each.text for each in shown] == ["Rivers?", "In the hills."]
    holds.release(chat.pk, "case 1")
    released_long_ago()
    assert access.read_branch(staff_context_of(lead), chat.pk).part.messages == []
    assert branches.remove_deleted(30) == 2


def test_a_deleted_account_is_purged_with_its_held_chats(chat: Conversation, alice: User) -> None:
    other = say(alice, "Lakes?", "There.")
    delete_account(alice)
    for _ in range(2):
        sweep()
    assert not Conversation.all_objects.filter(pk=other.pk).exists()
    assert Message.objects.count() == 2
    later(89)  # a sweep does not begin the time anew
    sweep()
    assert Message.objects.count() == 2
    later(1.1)
    sweep()
    sweep()
    assert not User.objects.filter(pk=alice.pk).exists()


def test_a_deleted_site_is_purged_with_its_held_chats(alice: User) -> None:
    site = WidgetSite.objects.create(owner=alice, name="Shop", retention_days=1)
    said = say(visitors.make(site).user, "Canoes?", "Two.")
    document = documents.add(website_collection(site), alice, "Canoes", b"We have two.")
    holds.hold(said.pk)
    Conversation.objects.update(updated_at=timezone.now() - timedelta(days=2))
    apply_retention()
    sweep()
    assert Message.objects.count() == 2
    delete_site(site)
    sweep()
    assert WidgetSite.all_objects.count() == 1
    assert not Document.objects.filter(pk=document.pk).exists()
    holds.release(said.pk, holds.STAFF)
    released_long_ago()
    sweep()
    assert WidgetSite.all_objects.count() == 0


def test_only_leads_read_deleted_chats_and_it_is_logged(
    chat: Conversation, reviewer: User, lead: User
) -> None:
    gone(chat)
    with pytest.raises(NotFound):
        access.read_branch(staff_context_of(reviewer), chat.pk)
    assert not access.exists(staff_context_of(reviewer), chat.pk)
    assert access.read_branch(staff_context_of(lead), chat.pk).conversation.purge_after
    assert AccessLogEntry.objects.get().reader == lead.pk
    later(90.1)
    with pytest.raises(NotFound):
        access.read_branch(staff_context_of(lead), chat.pk)


def test_nobody_reads_deleted_chats_that_are_not_held(lead: User, alice: User) -> None:
    chat = say(alice, "Lakes?")
    gone(chat)
    with pytest.raises(NotFound):
        access.read_branch(staff_context_of(lead), chat.pk)


async def test_the_page_says_that_the_owner_deleted_the_chat(
    chat: Conversation, lead: User, stop_server_process: None
) -> None:
    await sync_to_async(gone)(chat)
    staff = await sync_to_async(signed_in_client)(lead)
    await staff.post("/review/reason/", {"reason": "A report of today"})
    shown = (await staff.get(f"/review/{chat.pk}/")).content.decode()
    assert "Deleted by its owner on" in shown
    shown = (await staff.get(f"/review/people/{chat.owner_id}/")).content.decode()
    assert "deleted by its owner" in shown


TOLD = "Staff have kept this chat"


async def test_the_owner_is_told_before_the_deletion(
    chat: Conversation, alice_client: AsyncClient
) -> None:
    path = f"/chat/{chat.pk}/deletion/"
    asked = await alice_client.post(path, headers={"HX-Request": "true"})
    assert asked["HX-Redirect"] == path
    for asked in (await alice_client.get(path), await alice_client.post(path)):
        assert TOLD in asked.content.decode()
    assert await Conversation.objects.aexists()
    assert (await alice_client.post(path, {"confirmed": "yes"})).status_code == 302
    assert not await Conversation.objects.aexists()
    # It can be undone during the undo period.
    assert (await alice_client.post(f"/chat/{chat.pk}/restoration/")).status_code == 302
    assert await Conversation.objects.aexists()


async def test_owners_of_other_chats_are_not_asked(alice_client: AsyncClient, alice: User) -> None:
    chat = await sync_to_async(say)(alice, "Lakes?")
    assert (await alice_client.post(f"/chat/{chat.pk}/deletion/")).status_code == 302
    assert not await Conversation.objects.aexists()


def test_a_member_who_deletes_their_account_is_told_first(chat: Conversation, alice: User) -> None:
    client = signed_in(alice)
    assert "Staff have kept 1" in client.get("/settings/delete-account/").content.decode()
    holds.release(chat.pk, "case 1")
    released_long_ago()
    assert "Staff have kept" not in client.get("/settings/delete-account/").content.decode()


def test_a_thumbs_down_alone_holds_nothing(alice: User) -> None:
    chat = say(alice, "Rivers?", "In the hills.")
    answer = chat.messages.get(role=Message.Role.ASSISTANT)
    flags.flag_rating(answer, alice.pk, Opinion(-1))
    assert not LegalHold.objects.exists()
