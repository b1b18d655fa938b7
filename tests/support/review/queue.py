"""Helpers for the tests of the queue."""

from typing import Any

from asgiref.sync import sync_to_async

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.review.cases import flags
from tests.review.conftest import say


@sync_to_async
def reported(owner: User, title: str = "Rivers", words: str = "No", reason: str = "wrong") -> Any:
    chat = say(owner, title, f"About {title}")
    answer = chat.messages.get(role=Message.Role.ASSISTANT)
    return flags.report(chat.pk, answer, owner.pk, reason, words).case
