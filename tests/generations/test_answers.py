"""An answer that ends while somebody reads it is never complete without its text."""

import pytest

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.generations.answers import generations_of
from chat.generations.models import Generation
from chat.generations.result import Result
from chat.generations.storage import checkpoint
from chat.import_export import exported_turns, markdown
from chat.web.messages import presenters
from chat.web.messages.message_out import Audience


@pytest.fixture
def answer(alice: User) -> Message:
    chat = Conversation.objects.create(owner=alice)
    question = Message.objects.create(conversation=chat, role="user", text="Why?")
    return Message.objects.create(conversation=chat, role="assistant", parent=question)


def end(answer: Message, owner: User) -> None:
    generation = Generation.objects.create(owner=owner, message=answer, send_key="k")
    checkpoint.close(generation.id, Result("complete", 4, 1), "Well", "Hm")


def test_its_text_is_read_again(answer: Message, alice: User) -> None:
    end(answer, alice)
    assert answer.text == ""
    (generation,) = generations_of([answer])
    assert (generation.state, answer.text, answer.reasoning) == ("complete", "Well", "Hm")


def test_a_page_of_turns_shows_both(
    answer: Message, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    branch_part = turns.branch_part

    def read_before_the_end(*given: object) -> turns.BranchPart:
        part = branch_part(*given)  # type: ignore[arg-type]
        end(answer, alice)
        return part

    monkeypatch.setattr(turns, "branch_part", read_before_the_end)
    shown = presenters.shown_turns(answer.conversation, Audience.MEMBER)["turns"][-1]
    assert (shown.state, shown.text) == ("complete", "Well")


def test_an_export_to_read_has_both(
    answer: Message, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end_meanwhile(messages: list[Message]) -> list[Generation]:
        end(answer, alice)
        return generations_of(messages)

    monkeypatch.setattr(exported_turns, "generations_of", end_meanwhile)
    assert b"Well" in b"".join(markdown.conversation_markdown(answer.conversation))
