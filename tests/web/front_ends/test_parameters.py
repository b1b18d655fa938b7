"""What a request names is honoured, or refused by that name: at every door."""

from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.generations.models import Generation
from chat.personas.models import Persona
from chat.quotas.models import Charge
from chat.widget_sites.models import WidgetSite
from tests.support.generations.send import send
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.web.front_end import FrontEnd
from tests.support.web.parameters import STATELESS, Knock, asked, drained
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import visit

DOORS = [*STATELESS, "messages", "visitor's messages"]
TOOL = {"type": "function", "function": {"name": "f", "parameters": {}}}


@pytest.fixture
def knock(shop: WidgetSite, alice_client: AsyncClient) -> Knock:
    """Asks at a door, with these parameters beside the message."""

    async def knocks(door: str, text: str = "Hello", **more: Any) -> Any:
        if door == "member":
            return await ask(alice_client, {"prompt": text, **more})
        if door == "messages":
            return await send(alice_client, text=text, **more)
        if door == "visitor's messages":
            return await (await visit(shop)).send(text, **more)
        return await FrontEnd(shop).post(door, {"prompt": text, **more})

    return knocks


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
