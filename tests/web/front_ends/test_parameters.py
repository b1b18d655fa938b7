"""At every endpoint, a request parameter is honoured or refused by name."""

from typing import Any

import pytest
from pytest_django import Settings

from chat.generations.models import Generation
from chat.personas.models import Persona
from chat.quotas.models import Charge
from chat.widget_sites.models import WidgetSite
from tests.support.upstream.upstream_override import site_with
from tests.support.web.parameters import STATELESS, Post, asked, drained
from tests.support.widget.canned_answer import SAYS_AYE

ENDPOINTS = [*STATELESS, "messages", "visitor's messages"]
TOOL = {"type": "function", "function": {"name": "f", "parameters": {}}}


UNSUPPORTED: list[tuple[str, Any]] = [
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
]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_unsupported_parameters_are_refused_by_name(endpoint: str, post: Post) -> None:
    for name, value in UNSUPPORTED:
        refused = await post(endpoint, **{name: value})
        assert refused.status_code == 400, name
        error = refused.json()["error"]
        assert error["code"] == "unsupported_parameter"
        assert error["message"].startswith(f"{name}: ")
    assert not await Charge.objects.aexists()
    assert not await Generation.objects.aexists()


@pytest.mark.parametrize("endpoint", ["member", "v1/chat/completions", *ENDPOINTS[-2:]])
async def test_endpoints_of_a_protocol_refuse_unknown_names(endpoint: str, post: Post) -> None:
    refused = await post(endpoint, temprature=0.5)
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (400, "unsupported_parameter")
    assert error["message"].startswith("temprature: ")


@pytest.mark.parametrize("name", ["temperature", "response_format", "stop", "stream", "seed"])
@pytest.mark.parametrize("endpoint", ["messages", "visitor's messages"])
async def test_stored_messages_refuse_parameters(endpoint: str, name: str, post: Post) -> None:
    refused = await post(endpoint, **{name: 1})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"].startswith(f"{name}: ")


@pytest.mark.parametrize("endpoint", ["chat", "chat/text", "chat/ui"])
async def test_a_page_may_send_names_of_its_own(endpoint: str, post: Post) -> None:
    more = {"trigger": "submit-message", "messageId": None, "id": "c", "page": {"path": "/"}}
    assert await drained(await post(endpoint, **more))


@pytest.mark.parametrize("endpoint", STATELESS)
async def test_values_that_ask_for_the_default_are_accepted(endpoint: str, post: Post) -> None:
    more: dict[str, Any] = {
        "n": 1, "logprobs": False, "top_logprobs": None, "tools": [], "tool_choice": "auto",
        "functions": None, "response_format": {"type": "text"}, "modalities": ["text"],
        "logit_bias": {}, "user": "x", "store": True, "metadata": {"a": "b"}, "stop": [],
        "stream_options": {"include_usage": True}, "service_tier": "auto", "stream": True,
        "parallel_tool_calls": True, "prompt_cache_key": "k", "reasoning": None, "system": "",
    }  # fmt: skip
    assert await drained(await post(endpoint, **more))


@pytest.mark.parametrize("endpoint", STATELESS)
async def test_supported_parameters_reach_the_model(endpoint: str, post: Post) -> None:
    numbers = {
        "temperature": 0.5, "top_p": 0.9, "top_k": 7, "seed": 3, "presence_penalty": 1,
        "frequency_penalty": -1, "repetition_penalty": 1.5,
    }  # fmt: skip
    async with site_with(SAYS_AYE) as raw:
        await drained(await post(endpoint, max_tokens=99, max_completion_tokens=9, **numbers))
    sent = asked(raw)
    assert {name: sent[name] for name in numbers} == numbers
    assert sent["max_tokens"] == 9


@pytest.mark.parametrize("endpoint", STATELESS)
async def test_values_out_of_range_are_refused_with_the_reason(endpoint: str, post: Post) -> None:
    for name, value in (("temperature", 9), ("stop", ["a"] * 5), ("stop", ""), ("stream", "no")):
        refused = await post(endpoint, **{name: value})
        assert refused.status_code == 400, name
        assert refused.json()["error"]["message"].startswith(name)


@pytest.mark.parametrize("name", ["top_k", "repetition_penalty"])
async def test_workers_ai_parameters_are_refused_with_another_provider(
    name: str, post: Post, settings: Settings
) -> None:
    settings.UPSTREAM_PROTOCOL = "openai"
    async with site_with(SAYS_AYE) as raw:
        for endpoint in STATELESS:
            refused = await post(endpoint, **{name: 1})
            assert refused.status_code == 400
            assert refused.json()["error"]["message"].startswith(f"{name}: ")
    assert not raw.requests


class TestWhatTheOwnerHasChosen:
    """A site's persona sets the parameters of its answers."""

    async def test_only_a_value_other_than_the_personas_is_refused(
        self, shop: WidgetSite, post: Post
    ) -> None:
        await self._persona(shop, parameters={"temperature": 0.5})
        assert await drained(await post("chat", temperature=0.5, top_p=0.5))
        for endpoint in STATELESS[1:]:
            refused = await post(endpoint, temperature=1)
            assert refused.json()["error"]["code"] == "unsupported_parameter"
            assert refused.json()["error"]["message"].startswith("temperature: ")

    @pytest.mark.parametrize(("wanted", "sent"), [(9, 9), (99, 77)])
    async def test_an_answer_may_be_shorter_than_the_persona_allows_but_not_longer(
        self, wanted: int, sent: int, shop: WidgetSite, post: Post
    ) -> None:
        await self._persona(shop, max_tokens=77)
        async with site_with(SAYS_AYE) as raw:
            await drained(await post("chat", max_tokens=wanted))
        assert asked(raw)["max_tokens"] == sent

    async def test_without_a_persona_the_sites_maximum_applies(
        self, post: Post, settings: Settings
    ) -> None:
        async with site_with(SAYS_AYE) as raw:
            await drained(await post("chat", max_tokens=1_000_000))
        assert asked(raw)["max_tokens"] == settings.MAX_TOKENS

    async def test_the_persona_parameter_is_refused(self, post: Post) -> None:
        for endpoint in STATELESS[1:]:
            refused = await post(endpoint, persona="x")
            assert refused.json()["error"]["message"].startswith("persona: ")

    async def _persona(self, shop: WidgetSite, **facts: Any) -> None:
        persona = await Persona.objects.acreate(owner_id=shop.owner_id, name="Clerk", **facts)
        await WidgetSite.objects.aupdate(persona=persona)
