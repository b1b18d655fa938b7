"""In the list of conversations: which one is being answered, and which has an answer that nobody has seen."""

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

pytestmark = pytest.mark.django_db


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


@pytest.fixture
def browser(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def generation(alice: User) -> Generation:
    """An answer of alice's that is being written."""
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


def test_a_conversation_is_marked_while_its_answer_is_written(
    browser: Client, generation: Generation
) -> None:
    assert marks(browser) == ["running"]


@pytest.mark.parametrize("state", ["complete", "stopped", "interrupted", "failed"])
def test_an_answer_that_ended_is_unread_until_somebody_looks(
    browser: Client, generation: Generation, conversation: Conversation, state: str
) -> None:
    end(generation, state)
    assert marks(browser) == ["unread"]
    page = browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "data-unread" not in page
    assert marks(browser) == []


def test_an_open_page_that_looks_for_news_has_read_them(
    browser: Client, generation: Generation, conversation: Conversation
) -> None:
    end(generation)
    browser.get(f"/chat/{conversation.pk}/", headers={"Accept": "application/json"})
    assert marks(browser) == []


def test_reading_what_was_said_long_ago_is_not_reading_the_end(
    browser: Client, generation: Generation, conversation: Conversation
) -> None:
    end(generation)
    browser.get(f"/chat/{conversation.pk}/", {"before": generation.message_id})
    assert marks(browser) == ["unread"]


def test_a_new_name_leaves_the_mark(
    browser: Client, generation: Generation, conversation: Conversation
) -> None:
    address, htmx = f"/chat/{conversation.pk}/title/", {"HX-Request": "true"}
    entry = browser.post(address, {"title": "Bends"}, headers=htmx).content.decode()
    assert "data-running" in entry
    end(generation)
    entry = browser.post(address, {"title": "Rivers"}, headers=htmx).content.decode()
    assert "data-unread" in entry


async def test_an_open_page_tells_that_it_was_read(alice_client: AsyncClient) -> None:
    sent = await send(alice_client, text="Why do rivers bend?")
    await read_stream(sent)
    name = sent["X-Conversation-Id"]
    assert await Conversation.objects.filter(is_unread=True).acount() == 1
    assert (await alice_client.post(f"/chat/{name}/read")).status_code == 204
    assert await Conversation.objects.filter(is_unread=True).acount() == 0


async def test_nobody_reads_for_somebody_else(
    alice_client: AsyncClient, bob_client: AsyncClient, anonymous_client: AsyncClient
) -> None:
    sent = await send(alice_client, text="Why do rivers bend?")
    await read_stream(sent)
    address = f"/chat/{sent['X-Conversation-Id']}/read"
    assert (await bob_client.post(address)).status_code == 404
    assert (await anonymous_client.post(address)).status_code == 401
    assert await Conversation.objects.filter(is_unread=True).acount() == 1


def test_a_mark_is_no_business_of_anybody_else(
    browser: Client, bob: User, generation: Generation
) -> None:
    turns.start_conversation(bob.pk)
    assert marks(signed_in(bob)) == []
    end(generation)
    assert marks(signed_in(bob)) == []
