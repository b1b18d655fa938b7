"""The functions that fetch conversations and messages, where ids come from outside."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import access
from chat.conversations.models import Conversation
from chat.errors import Deleted, NotFound


def chat_of(user: User, days_left: int | None = None) -> Conversation:
    """Make a chat; with `days_left`, a deleted one that can be restored so long."""
    purge_after = None if days_left is None else timezone.now() + timedelta(days=days_left)
    return Conversation.all_objects.create(owner=user, purge_after=purge_after)


def found(user: User, *chats: Conversation, deleted: bool | None = None) -> list[uuid.UUID]:
    options = {} if deleted is None else {"deleted": deleted}
    each = access.conversations_of(user.pk, [str(chat.pk) for chat in chats], **options)
    return [chat.pk for chat in each]


def test_several_chats_are_found_only_if_all_are_present_and_theirs(alice: User, bob: User) -> None:
    present, other = sorted((chat_of(alice), chat_of(alice)), key=lambda chat: chat.pk)
    deleted, gone = chat_of(alice, 3), chat_of(alice, -3)
    assert found(alice, other, present, present) == [present.pk, other.pk]
    assert found(alice, deleted, deleted=True) == [deleted.pk]
    for user, chat in ((alice, deleted), (alice, gone), (bob, present), (alice, Conversation())):
        with pytest.raises(NotFound):
            found(user, present if user == alice else chat, chat)
    for user, chat in ((alice, present), (alice, gone), (bob, deleted)):
        with pytest.raises(NotFound):
            found(user, chat, deleted=True)
    with pytest.raises(NotFound):
        access.conversations_of(alice.pk, [str(present.pk), "7"])


def test_one_chat_is_found_by_its_owner_until_it_is_deleted(alice: User, bob: User) -> None:
    present, deleted, gone = chat_of(alice), chat_of(alice, 3), chat_of(alice, -3)
    assert access.conversation_of(alice.pk, str(present.pk)) == present
    with pytest.raises(Deleted):
        access.conversation_of(alice.pk, deleted.pk)
    assert access.deleted_conversation_of(alice.pk, deleted.pk) == deleted
    for user, chat in ((alice, gone), (bob, present), (bob, deleted)):
        with pytest.raises(NotFound):
            access.conversation_of(user.pk, chat.pk)
        with pytest.raises(NotFound):
            access.deleted_conversation_of(user.pk, chat.pk)
    with pytest.raises(NotFound):
        access.deleted_conversation_of(alice.pk, present.pk)


def test_a_message_is_found_in_its_own_chat_and_state(alice: User) -> None:
    chat, other = chat_of(alice), chat_of(alice)
    shown = chat.messages.create(role="user", text="Here")
    removed = chat.messages.create(role="user", text="Not here", deleted_at=timezone.now())
    assert access.message_of(chat, shown.pk) == shown
    assert access.message_of(chat, removed.pk, is_deleted=True) == removed
    assert {access.message_of(chat, each.pk, is_deleted=None) for each in (shown, removed)} == {
        shown,
        removed,
    }
    for conversation, message, is_deleted in (
        (chat, removed, False),
        (chat, shown, True),
        (other, shown, None),
        (other, removed, True),
    ):
        with pytest.raises(NotFound):
            access.message_of(conversation, message.pk, is_deleted=is_deleted)
