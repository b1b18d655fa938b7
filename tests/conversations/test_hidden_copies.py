"""Hiding a message also hides it in a copy that is made at the same time."""

import threading
from collections.abc import Callable

import pytest
from django.db import connections, transaction

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.models import Conversation, Message
from chat.generations.deletion.turn_deletion import branch_off
from chat.sharing import redaction as shared
from chat.sharing.links import Choices, make
from chat.sharing.models import SharedLink
from tests.support.database.bulk_steps import run_steps
from tests.support.patience import PATIENCE_SECONDS

SENTINEL = "gannet"


@pytest.fixture
def answer(alice: User) -> Message:
    chat = Conversation.objects.create(owner=alice, title=f"What is a {SENTINEL}?")
    question = chat.messages.create(role="user", text=f"What is a {SENTINEL}?")
    return chat.messages.create(parent=question, role="assistant", text="A bird.")


def while_it_is_not_committed(first: Callable[[], object], second: Callable[[], object]) -> None:
    """Run `first`, and start `second` on another connection before `first` is committed."""

    def work() -> None:
        try:
            with transaction.atomic():
                second()
        finally:
            connections.close_all()

    other = threading.Thread(target=work)
    with transaction.atomic():
        first()
        other.start()
        other.join(0.3)  # it comes, and waits
    other.join(timeout=PATIENCE_SECONDS)
    assert not other.is_alive()


def hide(question: Message) -> None:
    for each, words in redaction.redact(question):
        shared.redact(each, words)


def everything_that_is_said() -> str:
    messages = Message.objects.values_list("text", flat=True)
    titles = Conversation.objects.values_list("title", flat=True)
    links = [f"{link.title} {link.turns}" for link in SharedLink.objects.all()]
    return " ".join((*messages, *titles, *links))


@pytest.mark.parametrize("hides_first", [True, False], ids=["hidden first", "copied first"])
@pytest.mark.parametrize("kind", ["a branch", "a shared link"])
def test_a_concurrent_copy_has_no_hidden_text(
    answer: Message, kind: str, hides_first: bool
) -> None:
    chat, question = answer.conversation, answer.parent
    assert question

    def copy() -> None:
        if kind == "a branch":
            run_steps(branch_off(chat.owner_id, chat.pk, answer.pk))
        else:
            make(chat, Choices())

    def take_out() -> None:
        hide(question)

    while_it_is_not_committed(*((take_out, copy) if hides_first else (copy, take_out)))
    assert Conversation.objects.count() + SharedLink.objects.count() == 2
    assert SENTINEL not in everything_that_is_said()
    redaction.unredact(question)
    assert SENTINEL in everything_that_is_said()
