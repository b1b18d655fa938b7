"""The search in one's own chats finds nothing of others, and nothing that is gone."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations import drafts, redaction
from chat.conversations.models import Conversation
from chat.tools.search_my_chats import SEARCH_MY_CHATS, ChatsArguments
from chat.tools.tool import ToolContext

WORD = "hedgehog"


async def chat_of(owner: User, text: str) -> Conversation:
    chat = await Conversation.objects.acreate(owner=owner, title="A chat")
    question = await chat.messages.acreate(role="user", text=f"{WORD} {text}")
    await chat.messages.acreate(role="assistant", parent=question, text=f"{WORD} answer {text}")
    return chat


async def found(user: User, conversation: str = "") -> str:
    context = ToolContext(Principal(f"user:{user.pk}", user.pk), conversation=conversation)
    return (await SEARCH_MY_CHATS.run(context, ChatsArguments(WORD))).text


@pytest.mark.parametrize("gone", ["deleted", "hidden", "draft", "of bob", "this chat", "turn"])
async def test_what_is_gone_or_somebody_elses_is_not_found(
    alice: User, bob: User, gone: str
) -> None:
    await chat_of(alice, "kept")
    chat = await chat_of(bob if gone == "of bob" else alice, "gone")
    if gone == "deleted":
        later = timezone.now() + timedelta(days=1)
        await Conversation.objects.filter(pk=chat.pk).aupdate(purge_after=later)
    elif gone == "hidden":
        async for each in chat.messages.all():
            await sync_to_async(redaction.redact)(each)
    elif gone == "draft":
        now = timezone.now()
        draft = await sync_to_async(drafts.create)(
            owner_id=alice.pk,
            title="x",
            list_state=1,
            created_at=now,
            updated_at=now,
            import_id=None,
        )
        await chat.messages.aupdate(conversation=draft)
    elif gone == "turn":
        await chat.messages.aupdate(deleted_at=timezone.now())
    text = await found(alice, str(chat.pk) if gone == "this chat" else "")
    assert "kept" in text
    assert "gone" not in text
