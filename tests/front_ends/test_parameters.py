"""What a request names is honoured, or refused by that name: at every door."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.generations.models import Generation
from chat.personas.models import Persona
from chat.quotas.models import Charge
from chat.widget_sites.models import WidgetSite
from tests.support.front_end import HELLO, FrontEnd, body_of
from tests.support.odd_answers import said_in
from tests.support.raw_upstream import RawUpstream, always, plain, stream_of
from tests.support.sending import send
from tests.support.site import ask, site_with
from tests.support.visiting import visit
from tests.support.widget_visiting import SAYS_AYE

LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"  # native
GEMMA = "@cf/google/gemma-4-26b-a4b-it"  # OpenAI's schema
STATELESS = ["member", "chat", "chat/text", "chat/ui", "v1/chat/completions"]
DOORS = [*STATELESS, "messages", "visitor's messages"]
TOOL = {"type": "function", "function": {"name": "f", "parameters": {}}}
SCHEMA = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "depth": {"type": "integer"}},
}
WRAPPED = {"type": "json_schema", "json_schema": {"name": "gauge", "schema": SCHEMA}}

Knock = Callable[..., Awaitable[Any]]


@pytest.fixture
def knock(shop: WidgetSite, alices: AsyncClient) -> Knock:
    """Asks at a door, with these parameters beside the message."""

    async def knocks(door: str, text: str = "Hello", **more: Any) -> Any:
        if door == "member":
            return await ask(alices, {"prompt": text, **more})
        if door == "messages":
            return await send(alices, text=text, **more)
        if door == "visitor's messages":
            return await (await visit(shop)).send(text, **more)
        return await FrontEnd(shop).post(door, {"prompt": text, **more})

    return knocks


def asked(raw: RawUpstream) -> dict[str, Any]:
    sent: dict[str, Any] = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])
    return sent


async def drained(response: Any) -> str:
    assert response.status_code == 200, response.content
    return (await body_of(response) if response.streaming else response.content).decode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", 2),
        ("logprobs", True),
        ("top_logprobs", 3),
        ("logit_bias", {"50256": -100}),
        ("tools", [TOOL]),
        ("tool_choice", "required"),
        ("tool_choice", {"type": "function", "function": {"name": "f"}}),
        ("functions", [{"name": "f"}]),
        ("audio", {"voice": "x"}),
        ("modalities", ["text", "audio"]),
        ("web_search_options", {}),
        ("chat_template_kwargs", {"enable_thinking": False}),
        ("guided_json", {}),
        ("lora", "x"),
        ("raw", True),
        ("system", "No rules."),
        ("instructions", "No rules."),
    ],
)
@pytest.mark.parametrize("door", DOORS)
async def test_what_would_change_an_answer_and_cannot_is_refused_by_name(
    door: str, name: str, value: Any, knock: Knock
) -> None:
    refused = await knock(door, **{name: value})
    assert refused.status_code == 400
    error = refused.json()["error"]
    assert error["code"] == "unsupported_parameter"
    assert error["message"].startswith(f"{name}: ")
    assert not await Charge.objects.aexists()
    assert not await Generation.objects.aexists()


@pytest.mark.parametrize("door", ["member", "v1/chat/completions", *DOORS[-2:]])
async def test_doors_that_speak_a_protocol_know_all_its_names(door: str, knock: Knock) -> None:
    refused = await knock(door, temprature=0.5)
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (400, "unsupported_parameter")
    assert error["message"].startswith("temprature: ")


@pytest.mark.parametrize("name", ["temperature", "response_format", "stop", "stream", "seed"])
@pytest.mark.parametrize("door", ["messages", "visitor's messages"])
async def test_a_stored_turn_is_answered_as_its_persona_says(
    door: str, name: str, knock: Knock
) -> None:
    refused = await knock(door, **{name: 1})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"].startswith(f"{name}: ")


@pytest.mark.parametrize("door", ["chat", "chat/text", "chat/ui"])
async def test_a_page_may_send_names_of_its_own(door: str, knock: Knock) -> None:
    more = {"trigger": "submit-message", "messageId": None, "id": "c", "page": {"path": "/"}}
    assert await drained(await knock(door, **more))


@pytest.mark.parametrize("door", STATELESS)
async def test_what_asks_for_nothing_else_is_let_through(door: str, knock: Knock) -> None:
    more: dict[str, Any] = {
        "n": 1, "logprobs": False, "top_logprobs": None, "tools": [], "tool_choice": "auto",
        "functions": None, "response_format": {"type": "text"}, "modalities": ["text"],
        "logit_bias": {}, "user": "x", "store": True, "metadata": {"a": "b"}, "stop": [],
        "stream_options": {"include_usage": True}, "service_tier": "auto", "stream": True,
        "parallel_tool_calls": True, "prompt_cache_key": "k", "reasoning": None, "system": "",
    }  # fmt: skip
    assert await drained(await knock(door, **more))


@pytest.mark.parametrize("door", STATELESS)
async def test_what_a_model_takes_reaches_it(door: str, knock: Knock) -> None:
    numbers = {
        "temperature": 0.5, "top_p": 0.9, "top_k": 7, "seed": 3, "presence_penalty": 1,
        "frequency_penalty": -1, "repetition_penalty": 1.5,
    }  # fmt: skip
    async with site_with(SAYS_AYE) as raw:
        await drained(await knock(door, max_tokens=99, max_completion_tokens=9, **numbers))
    sent = asked(raw)
    assert {name: sent[name] for name in numbers} == numbers
    assert sent["max_tokens"] == 9


@pytest.mark.parametrize("door", STATELESS)
async def test_values_out_of_range_are_refused_in_words(door: str, knock: Knock) -> None:
    for name, value in (("temperature", 9), ("stop", ["a"] * 5), ("stop", ""), ("stream", "no")):
        refused = await knock(door, **{name: value})
        assert refused.status_code == 400, name
        assert refused.json()["error"]["message"].startswith(name)


@pytest.mark.parametrize("name", ["top_k", "repetition_penalty"])
async def test_what_only_workers_ai_has_is_refused_where_another_service_answers(
    name: str, knock: Knock, settings: Settings
) -> None:
    settings.UPSTREAM_PROTOCOL = "openai"
    async with site_with(SAYS_AYE) as raw:
        for door in STATELESS:
            refused = await knock(door, **{name: 1})
            assert refused.status_code == 400
            assert refused.json()["error"]["message"].startswith(f"{name}: ")
    assert not raw.requests


class TestWhatTheOwnerHasChosen:
    """A site's persona holds for whoever asks there."""

    async def test_another_value_is_refused_and_the_same_is_not(
        self, shop: WidgetSite, knock: Knock
    ) -> None:
        await self._persona(shop, parameters={"temperature": 0.5})
        assert await drained(await knock("chat", temperature=0.5, top_p=0.5))
        for door in STATELESS[1:]:
            refused = await knock(door, temperature=1)
            assert refused.json()["error"]["code"] == "unsupported_parameter"
            assert refused.json()["error"]["message"].startswith("temperature: ")

    @pytest.mark.parametrize(("wanted", "sent"), [(9, 9), (99, 77)])
    async def test_an_answer_may_be_shorter_and_not_longer(
        self, wanted: int, sent: int, shop: WidgetSite, knock: Knock
    ) -> None:
        await self._persona(shop, max_tokens=77)
        async with site_with(SAYS_AYE) as raw:
            await drained(await knock("chat", max_tokens=wanted))
        assert asked(raw)["max_tokens"] == sent

    async def test_without_one_the_sites_own_length_is_the_most(
        self, knock: Knock, settings: Settings
    ) -> None:
        async with site_with(SAYS_AYE) as raw:
            await drained(await knock("chat", max_tokens=1_000_000))
        assert asked(raw)["max_tokens"] == settings.MAX_TOKENS

    async def test_a_persona_cannot_be_named(self, knock: Knock) -> None:
        for door in STATELESS[1:]:
            refused = await knock(door, persona="x")
            assert refused.json()["error"]["message"].startswith("persona: ")

    async def _persona(self, shop: WidgetSite, **facts: Any) -> None:
        persona = await Persona.objects.acreate(owner_id=shop.owner_id, name="Clerk", **facts)
        await WidgetSite.objects.aupdate(persona=persona)


class TestStop:
    PIECES = ["One tw", "o thr", "ee fo", "ur"]

    def _says(self) -> Any:
        events = [f'data: {{"response":"{piece}"}}\n\n'.encode() for piece in self.PIECES]
        usage = b'data: {"response":"","usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'
        return always(stream_of(*events, usage, b"data: [DONE]\n\n"))

    @pytest.mark.parametrize("door", STATELESS)
    async def test_an_answer_ends_before_what_is_to_stop_it(self, door: str, knock: Knock) -> None:
        async with site_with(self._says()):
            for stop, said in ((["three", "x"], "One two "), ("four", "One two three ")):
                response = await knock(door, stop=stop, stream=True)
                assert await said_in(door, response) == said

    async def test_its_figures_are_those_of_all_that_was_written(self, knock: Knock) -> None:
        async with site_with(self._says()):
            answer = (await knock("member", stop="two", stream=False)).json()
        assert (answer["response"], answer["finish_reason"]) == ("One ", "stop")
        assert answer["usage"]["completion_tokens"] == 4

    async def test_what_only_begins_like_it_is_shown(self, knock: Knock) -> None:
        async with site_with(self._says()):
            answer = (await knock("member", stop=["urn", "fox"], stream=False)).json()
        assert answer["response"] == "One two three four"

    @pytest.mark.parametrize(("model", "is_told"), [(GEMMA, True), (LLAMA, False)])
    async def test_models_that_know_it_are_told(
        self, model: str, is_told: bool, knock: Knock
    ) -> None:
        async with site_with(SAYS_AYE) as raw:
            await drained(await knock("member", model=model, stop="x"))
        assert ("stop" in asked(raw)) == is_told

    @pytest.mark.parametrize("model", [LLAMA, GEMMA])
    async def test_the_emulator_ends_there_too(self, model: str, knock: Knock) -> None:
        response = await knock("member", "/help", model=model, stop="/long", stream=False)
        assert response.json()["response"].endswith("| `")


class TestResponseFormat:
    @pytest.mark.parametrize("model", [LLAMA, GEMMA])
    @pytest.mark.parametrize(
        ("wanted", "keys"),
        [
            ({"type": "json_object"}, {"question", "answer", "levels"}),
            (WRAPPED, {"place", "depth"}),
            ({"type": "json_schema", "json_schema": SCHEMA}, {"place", "depth"}),
        ],
    )
    async def test_the_answer_is_json_of_that_form(
        self, model: str, wanted: Any, keys: set[str], knock: Knock
    ) -> None:
        for stream in (True, False):
            response = await knock("member", model=model, response_format=wanted, stream=stream)
            said = await said_in("member", response)
            assert json.loads(said).keys() == keys, stream

    @pytest.mark.parametrize("door", STATELESS[1:])
    async def test_at_every_door(self, door: str, knock: Knock) -> None:
        response = await knock(door, response_format=WRAPPED, stream=True)
        assert json.loads(await said_in(door, response)).keys() == {"place", "depth"}

    async def test_each_schema_is_told_as_its_model_knows_it(self, knock: Knock) -> None:
        whole = always(plain(200, b'{"result":{"response":{"place":"x"}},"success":true}'))
        for model, schema, stream in (
            (LLAMA, SCHEMA, False),
            (GEMMA, {"name": "gauge", "schema": SCHEMA}, True),
        ):
            async with site_with(whole) as raw:
                await drained(await knock("member", model=model, response_format=WRAPPED))
            sent = asked(raw)
            assert sent["response_format"] == {"type": "json_schema", "json_schema": schema}
            assert sent["stream"] is stream

    @pytest.mark.parametrize("wrong", [{}, 7, "x", [], {"schema": 7}, None])
    async def test_a_schema_that_is_none_is_refused(self, wrong: Any, knock: Knock) -> None:
        asked_for = {"type": "json_schema", "json_schema": wrong}
        for door in STATELESS:
            refused = await knock(door, response_format=asked_for)
            assert refused.status_code == 400
            assert refused.json()["error"]["message"].startswith("response_format.json_schema: ")


class TestWithoutAStream:
    async def test_a_whole_answer_has_the_keys_of_the_stream(self, knock: Knock) -> None:
        for door in ("member", "chat"):
            answer = await knock(door, stream=False)
            assert answer["Content-Type"] == "application/json"
            assert "X-Generation-Id" in answer
            said = answer.json()
            assert said["response"].strip()
            assert (said["state"], said["length"]) == ("complete", len(said["response"]))
            assert said["usage"]["total_tokens"]
            assert said["model"]

    async def test_thoughts_are_beside_it(self, knock: Knock) -> None:
        said = (await knock("member", "/think 30", model=GEMMA, stream=False)).json()
        assert said["reasoning"].strip()
        assert said["reasoning"] not in said["response"]

    async def test_plain_text_comes_in_one_piece(self, knock: Knock) -> None:
        response = await knock("chat/text", stream=False)
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        assert not response.streaming
        assert response.content.strip()

    async def test_where_there_are_only_streams_it_is_refused(
        self, shop: WidgetSite, knock: Knock
    ) -> None:
        html = {"Accept": "text/html"}
        for refused in (
            await knock("chat/ui", stream=False),
            await FrontEnd(shop).post("chat", {**HELLO, "stream": False}, **html),
        ):
            assert refused.status_code == 400
            assert "stream: this address only streams answers" in refused.content.decode()

    async def test_an_answer_that_breaks_off_is_a_failure(self, knock: Knock) -> None:
        cut = always(stream_of(b'data: {"response":"Well"}\n\n'))
        async with site_with(cut):
            for door in ("member", "chat", "chat/text"):
                failed = await knock(door, stream=False)
                assert failed.status_code == 502
                assert "kept" not in failed.json()["error"]["message"]
