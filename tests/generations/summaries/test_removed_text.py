"""Text that is removed from a chat leaves no trace in its summaries, written or being written."""

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import list_state, redaction
from chat.conversations.models import Conversation, Message
from chat.conversations.summaries import summaries
from chat.conversations.summaries.models import ChatSummary
from chat.conversations.summaries.summaries import Claim
from chat.generations.deletion import soft_delete
from chat.generations.deletion.turn_deletion import branch_off, delete_in_steps, find_turn
from chat.generations.summaries import coverage
from chat.review.cases import holds
from tests.review.conftest import give
from tests.support.database.bulk_steps import run_steps
from tests.support.generations.purge import sweep
from tests.support.review.reason_for_access import begin
from tests.support.web.signed_in import signed_in_client

SENTINEL = "gannet"


@pytest.fixture
def chat(alice: User) -> Conversation:
    """Return a chat of five exchanges, whose first two have a summary."""
    made = Conversation.objects.create(owner=alice, title="Birds")
    parent = None
    for number in range(5):
        text = f"{number} {SENTINEL if number == 1 else ''}"
        parent = made.messages.create(role="user", text=text, parent=parent)
        parent = made.messages.create(role="assistant", text=f"{number}.", parent=parent)
    claimed = claimed_by(claim_of(made))
    assert summaries.store(claimed, f"- They asked about a {SENTINEL}.")
    return made


def claim_of(chat: Conversation) -> Claim:
    return Claim(chat.pk, message(chat, 3).pk, 4)


def claimed_by(wanted: Claim) -> Claim:
    claimed = summaries.claim(wanted)
    assert claimed
    return claimed


def message(chat: Conversation, number: int) -> Message:
    return chat.messages.order_by("pk")[number]


def delete_turn(chat: Conversation, number: int) -> None:
    turn = find_turn(chat.owner_id, chat.pk, message(chat, number).pk)
    run_steps(delete_in_steps(chat.owner_id, chat.pk, turn))


REMOVALS: dict[str, Callable[[Conversation], Any]] = {
    "a turn is deleted": lambda chat: delete_turn(chat, 2),
    "its first turn is deleted": lambda chat: delete_turn(chat, 0),
    "a question is hidden": lambda chat: redaction.redact(message(chat, 2)),
    "an answer is hidden": lambda chat: redaction.redact(message(chat, 3)),
    "the chat is deleted": soft_delete.delete,
    "chats are deleted": lambda chat: soft_delete.delete_several([chat]),
    "the account is deleted": lambda chat: soft_delete.delete_account(chat.owner),
    "it has been kept for long enough": lambda chat: list_state.hide_all(
        Conversation.objects.filter(pk=chat.pk)
    ),
}


@pytest.mark.parametrize("removal", REMOVALS)
def test_a_summary_goes_with_what_it_covers(removal: str, chat: Conversation) -> None:
    REMOVALS[removal](chat)
    assert not ChatSummary.objects.exists()


@pytest.mark.parametrize("removal", REMOVALS)
def test_a_summary_that_is_being_written_is_not_stored(removal: str, chat: Conversation) -> None:
    ChatSummary.objects.all().delete()
    claimed = claimed_by(claim_of(chat))
    assert coverage.read(claimed)
    REMOVALS[removal](chat)
    assert not summaries.store(claimed, SENTINEL)
    assert not ChatSummary.objects.exists()


def test_a_summary_that_builds_on_a_removed_one_is_not_written(chat: Conversation) -> None:
    second = claimed_by(Claim(chat.pk, message(chat, 5).pk, 6, message(chat, 3).pk))
    redaction.redact(message(chat, 0))
    assert coverage.read(second) is None
    assert not summaries.store(second, SENTINEL)


def test_a_summary_of_removed_text_is_not_stored_for_another_claim(chat: Conversation) -> None:
    ChatSummary.objects.all().delete()
    first = claimed_by(claim_of(chat))
    redaction.redact(message(chat, 2))
    second = claimed_by(claim_of(chat))
    assert not summaries.store(first, SENTINEL)
    summaries.release(first)
    assert summaries.store(second, "- They asked.")


def test_removing_what_it_does_not_cover_leaves_a_summary(chat: Conversation) -> None:
    delete_turn(chat, 6)
    redaction.redact(message(chat, 4))
    assert ChatSummary.objects.get().text


def test_hidden_messages_are_not_read_for_a_summary(chat: Conversation) -> None:
    redaction.redact(message(chat, 2))
    assert SENTINEL not in str(coverage.read(claim_of(chat)))


def test_the_size_of_a_removed_summary_no_longer_counts(chat: Conversation) -> None:
    chat.refresh_from_db()
    before, size = chat.stored_bytes, len(ChatSummary.objects.get().text)
    delete_turn(chat, 2)
    chat.refresh_from_db()
    assert chat.stored_bytes == before - size


def test_only_the_newest_summaries_are_kept(
    chat: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summaries, "MAX_SUMMARIES", 2)
    ends = [message(chat, number).pk for number in (3, 5, 7)]
    for last, count in zip(ends[1:], (6, 8), strict=True):
        claimed = claimed_by(Claim(chat.pk, last, count))
        assert summaries.store(claimed, "- They went on.")
    kept = ChatSummary.objects.order_by("pk").values_list("pk", flat=True)
    assert list(kept) == ends[1:]


def test_a_copy_has_no_summary(chat: Conversation) -> None:
    run_steps(branch_off(chat.owner_id, chat.pk, message(chat, 9).pk))
    assert ChatSummary.objects.get().conversation == chat


def test_a_held_chats_summary_is_kept_with_its_messages_and_purged_with_them(
    chat: Conversation,
) -> None:
    holds.hold(chat.pk, "case 1")
    delete_turn(chat, 2)
    assert ChatSummary.objects.exists()
    Conversation.objects.filter(pk=chat.pk).update(held_at=None)
    Message.objects.filter(deleted_at__isnull=False).update(deleted_at=timezone.now())
    sweep()
    Message.objects.filter(deleted_at__isnull=False).delete()
    assert not ChatSummary.objects.exists()


async def test_the_owner_and_staff_see_it_and_nobody_else(
    alice_client: AsyncClient, bob_client: AsyncClient, rita: User, chat: Conversation
) -> None:
    await sync_to_async(Message.objects.update)(text="x" * 10)
    url = f"/chat/{chat.pk}/"
    page = (await alice_client.get(url)).content.decode()
    assert page.count(SENTINEL) == 1
    turns = (await alice_client.get(url, headers={"Accept": "application/json"})).json()["turns"]
    assert [SENTINEL in each.get("summary", "") for each in turns].index(True) == 3
    assert (await bob_client.get(url)).status_code == 404
    staff = await sync_to_async(lambda: signed_in_client(give(rita, "review", None)))()
    shown = (await (await begin(staff)).get(f"/review/{chat.pk}/")).content.decode()
    assert shown.count(SENTINEL) == 1
