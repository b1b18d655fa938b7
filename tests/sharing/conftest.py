"""Fixtures for sharing: alice's chat about water, with content that others must not see."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.turns import add_answer, post_question, start_conversation
from chat.database import threads
from chat.generations.models import Generation
from chat.sharing.links import Choices, make
from chat.sharing.models import SharedLink
from tests.support.web.signed_in import signed_in

MODEL = "@cf/openai/gpt-oss-20b"
ALL = Choices(with_name=True, with_reasoning=True, with_models=True)


def ask(
    conversation: Conversation, text: str, answer: str, state: str = "complete", thought: str = ""
) -> Message:
    """Append an exchange to the conversation."""
    parent = conversation.messages.order_by("id").last()
    message = add_answer(post_question(conversation, text, parent))
    message.text, message.reasoning = answer, thought
    message.save()
    Generation.objects.create(
        owner_id=conversation.owner_id,
        message=message,
        state=state,
        model=MODEL,
        send_key=f"key-{message.pk}",
    )
    return message


@pytest.fixture
def conversation(alice: User) -> Conversation:
    conversation = start_conversation(alice.pk)
    ask(conversation, "What is water?", "It is **wet**.", thought="Thought-Sentinel")
    ask(conversation, "And ice?", "It is hard.")
    return conversation


@pytest.fixture
def link(conversation: Conversation) -> SharedLink:
    return make(conversation, Choices())


@pytest.fixture
def bob_browser(bob: User) -> Iterator[Client]:
    yield signed_in(bob)
    threads.writer.close()  # copies are made there
    threads.readers.close()


def page_of(link: SharedLink, client: Client | None = None, status: int = 200) -> str:
    """Return the shared page without its nonces; anonymous if there is no client."""
    response = (client or Client()).get(f"/s/{link.token}/", headers={"Accept": "text/html"})
    assert response.status_code == status
    return re.sub(r'nonce="[^"]*"', "", response.content.decode())
