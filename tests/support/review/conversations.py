"""Helpers for the tests of the staff's reading pages."""

from typing import Any

from asgiref.sync import sync_to_async

from chat.accounts.models import User
from chat.conversations.models import Message
from tests.review.conftest import say


@sync_to_async
def new_conversation(owner: User, question: str, answer: str = "Water.", **facts: object) -> Any:
    chat = say(owner, question, answer, **facts)
    return chat, Message.objects.filter(conversation=chat).last()
