"""Personal data is masked in all that a provider receives, and nowhere else."""

import json
from collections.abc import AsyncGenerator

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.models import Message
from chat.conversations.prompt import PromptMessage
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.send import embedding, judging, reranking
from chat.generations.send.masking import masking as masking_of
from chat.generations.titles import title_writer
from chat.upstream import available_models
from chat.upstream.events import Event, Text
from chat.upstream.judging.client import JudgedState
from chat.upstream.request import CompletionRequest
from tests.support.generations.follow import follow
from tests.support.generations.masked_requests import (
    EMAIL,
    PHONE,
    QUESTION,
    assert_nothing_personal,
    store_settings,
)
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.loop_hold import measured_loop
from tests.support.review.judging import CLEF
from tests.support.upstream.recorded_emulator import record_requests
from tests.support.widget.visitor_client import Visiting, make_site

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
RERANKER = "@cf/baai/bge-reranker-base"
Asked = list[tuple[str, bytes]]


@pytest.fixture
async def masking(db: None) -> None:
    await sync_to_async(store_settings)(COVER_PERSONAL_DATA=True)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return record_requests(monkeypatch)


@pytest.mark.usefixtures("masking")
@pytest.mark.parametrize("model", [MODEL, "@cf/meta/llama-3.1-8b-instruct-fast"])
async def test_the_reader_and_the_log_get_the_values(
    alice: User, alice_client: AsyncClient, asked: Asked, model: str
) -> None:
    response = await send(alice_client, text=QUESTION, model=model)
    stream = await read_stream(response)
    await title_writer.until_written()
    assert_nothing_personal(asked)
    prompt = asked[0][1].decode()
    assert "I am [email 1], call [phone 1], and pay to [bank account 1]. Not [email 1]!" in prompt
    assert "placeholders such as" in prompt
    assert all(value in stream.text for value in (EMAIL, PHONE))
    assert "[email" not in stream.text
    question, answer = [each async for each in Message.objects.order_by("pk")]
    assert (question.text, answer.text) == (QUESTION, stream.text)
    again = await follow(alice_client, response["X-Generation-Id"], after=0)
    assert (await read_stream(again)).text == stream.text


@pytest.mark.usefixtures("masking")
async def test_a_tool_is_called_with_the_values(
    alice: User, alice_client: AsyncClient, asked: Asked
) -> None:
    question = f'/tool web_search {{"query": "who is {EMAIL}"}}'
    await read_stream(
        await send(alice_client, text=question, site_tools=["web_search"], model=MODEL)
    )
    call = await StoredToolCall.objects.aget()
    assert json.loads(call.arguments) == {"query": f"who is {EMAIL}"}
    assert len(asked) >= 2
    assert_nothing_personal(asked)


@pytest.mark.usefixtures("masking")
async def test_the_history_keeps_its_placeholders(
    alice: User, alice_client: AsyncClient, asked: Asked
) -> None:
    first = await send(alice_client, text=QUESTION)
    await read_stream(first)
    chat = (await Message.objects.afirst()).conversation_id  # type: ignore[union-attr]
    parent = (await Message.objects.alast()).pk  # type: ignore[union-attr]
    asked.clear()
    text = f"Again {PHONE} and bob@example.org"
    await read_stream(await send(alice_client, chat, text=text, parent=parent))
    assert_nothing_personal(asked)
    assert "Again [phone 1] and [email 2]" in asked[0][1].decode()


@pytest.mark.usefixtures("masking")
async def test_a_long_text_holds_nobody_up(alice: User) -> None:
    async def answer(_request: CompletionRequest) -> AsyncGenerator[Event]:
        yield Text("[phone 1]")

    text = f"{PHONE}, " + "123-456-7890, " * 10_000
    request = CompletionRequest([PromptMessage("user", text)], MODEL, 100)
    ask = masking_of(Principal(f"user:{alice.pk}", alice.pk), answer)
    with measured_loop() as hold:
        events = [each async for each in ask(request)]
    assert [each.text for each in events if isinstance(each, Text)] == [PHONE]
    assert hold.seconds < 0.1, hold.what


@pytest.mark.usefixtures("masking")
async def test_a_participants_name_is_masked_in_the_form_of_a_name(alice: User) -> None:
    sent: list[CompletionRequest] = []

    async def ask(request: CompletionRequest) -> AsyncGenerator[Event]:
        sent.append(request)
        yield Text("Yes")

    named = [PromptMessage("user", "Hello", name=name) for name in (EMAIL, "bob")]
    request = CompletionRequest(named, MODEL, 100)
    [_ async for _ in masking_of(Principal(f"user:{alice.pk}", alice.pk), ask)(request)]
    assert [each.name for each in sent[0].messages] == ["email_1", "bob", ""]


async def test_by_default_nothing_is_masked(
    alice: User, alice_client: AsyncClient, asked: Asked
) -> None:
    await read_stream(await send(alice_client, text=QUESTION))
    assert QUESTION in asked[0][1].decode()
    assert "placeholders such as" not in asked[0][1].decode()


async def test_a_group_may_be_stricter_than_the_site(
    alice: User, alice_client: AsyncClient, bob: User, bob_client: AsyncClient, asked: Asked
) -> None:
    group = await Group.objects.acreate(name="Clinic")
    await alice.groups.aadd(group)
    await sync_to_async(store_settings)(COVERED_GROUPS=[group.pk])
    await read_stream(await send(bob_client, text=QUESTION))
    assert QUESTION in asked[0][1].decode()
    asked.clear()
    await read_stream(await send(alice_client, text=QUESTION))
    assert_nothing_personal(asked)


@pytest.mark.usefixtures("masking")
async def test_visitors_of_websites_are_masked(alice: User, asked: Asked) -> None:
    visitor = Visiting(await sync_to_async(make_site)(alice))
    await visitor.begin()
    stream = await read_stream(await visitor.send(QUESTION))
    assert_nothing_personal(asked)
    assert EMAIL in stream.text


@pytest.mark.usefixtures("masking")
async def test_models_that_judge_and_search_are_masked(alice: User, asked: Asked) -> None:
    principal = Principal(f"user:{alice.pk}", alice.pk)
    judge = available_models.find_judge_model(CLEF)
    assert judge
    await judging.judge_text(principal, judge, JudgedState(QUESTION, QUESTION, (QUESTION,)), 9)
    embedder = next(iter(available_models.embedding_models().values()))
    await embedding.embed_texts(principal, embedder, [QUESTION, f"Only {EMAIL}"])
    reranker = settings.RERANK_MODELS[RERANKER]
    await reranking.rerank_texts(principal, reranker, f"Whose is {PHONE}?", [QUESTION])
    assert len(asked) >= 3
    assert_nothing_personal(asked)
