"""The sidebar's marks for running and unread answers."""

import re

import pytest
from django.test import AsyncClient, Client

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.generations.result import Result
from chat.generations.storage import checkpoint
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def generation(alice: User) -> Generation:
    """Create a running answer of alice's."""
    conversation = turns.start_conversation(alice.pk)
    answer = turns.add_answer(turns.post_question(conversation, "Why do rivers bend?", None))
    return Generation.objects.create(owner=alice, message=answer, model="m", send_key="k")


@pytest.fixture
def conversation(generation: Generation) -> Conversation:
    return generation.message.conversation


def end(generation: Generation, state: str = "complete") -> None:
    checkpoint.close(generation.pk, Result(state, 5, 1), "Slow.", "")


def marks(browser: Client) -> list[str]:
    return re.findall(
        r'class="entry-mark" data-(\w+)', browser.get("/chat/sidebar/").content.decode()
    )


def test_a_conversation_is_marked_while_its_answer_runs(
    browser: Client, generation: Generation
) -> None:
    assert marks(browser) == ["running"]


@pytest.mark.parametrize("state", ["complete", "stopped", "interrupted", "failed"])
def test_an_ended_answer_is_unread_until_it_is_opened(
    browser: Client, generation: Generation, conversation: Conversation, state: str
) -> None:
    end(generation, state)
    assert marks(browser) == ["unread"]
    page = browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "data-unread" not in page
    assert marks(browser) == []


def test_an_open_page_that_polls_marks_the_answer_as_read(
    browser: Client, generation: Generation, conversation: Conversation
) -> None:
    end(generation)
    browser.get(f"/chat/{conversation.pk}/", headers={"Accept": "application/json"})
    assert marks(browser) == []


def test_reading_earlier_turns_does_not_mark_the_end_as_read(
    browser: Client, generation: Generation, conversation: Conversation
) -> None:
    end(generation)
    browser.get(f"/chat/{conversation.pk}/", {"before": generation.message_id})
    assert marks(browser) == ["unread"]


def test_renaming_keeps_the_mark(
    browser: Client, generation: Generation, conversation: Conversation
) -> None:
    address, htmx = f"/chat/{conversation.pk}/title/", {"HX-Request": "true"}
    entry = browser.post(address, {"title": "Bends"}, headers=htmx).content.decode()
    assert "data-running" in entry
    end(generation)
    entry = browser.post(address, {"title": "Rivers"}, headers=htmx).content.decode()
    assert "data-unread" in entry


async def test_an_open_page_reports_that_an_answer_was_read(alice_client: AsyncClient) -> None:
    sent = await send(alice_client, text="Why do rivers bend?")
    await read_stream(sent)
    name = sent["X-Conversation-Id"]
    assert await Conversation.objects.filter(is_unread=True).acount() == 1
    assert (await alice_client.post(f"/chat/{name}/read")).status_code == 204
    assert await Conversation.objects.filter(is_unread=True).acount() == 0


async def test_another_member_cannot_mark_it_as_read(
    alice_client: AsyncClient, bob_client: AsyncClient, anonymous_client: AsyncClient
) -> None:
    sent = await send(alice_client, text="Why do rivers bend?")
    await read_stream(sent)
    address = f"/chat/{sent['X-Conversation-Id']}/read"
    assert (await bob_client.post(address)).status_code == 404
    assert (await anonymous_client.post(address)).status_code == 401
    assert await Conversation.objects.filter(is_unread=True).acount() == 1


def test_another_member_does_not_see_the_mark(
    browser: Client, bob: User, generation: Generation
) -> None:
    turns.start_conversation(bob.pk)
    assert marks(signed_in(bob)) == []
    end(generation)
    assert marks(signed_in(bob)) == []
