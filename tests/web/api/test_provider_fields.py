"""What only some models and providers have is moved, forwarded or left out, and never refused."""

import json
from typing import Any

import pytest
from pytest_django import Settings

from chat.lib.catalogue import Model
from chat.lib.catalogue.model import Family
from chat.upstream.model_parameters import for_model, nearest_effort
from chat.upstream.request import CompletionRequest, ProviderEndpoint
from tests.support.api.translated_requests import BLIND, chat_question, response_question

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


@pytest.mark.parametrize(
    ("choices", "chosen"),
    [
        (("low", "medium", "high"), ["low", "low", "low", "medium", "high", "high", "high"]),
        (("none", "high"), ["none", "none", "none", "high", "high", "high", "high"]),
        (("none",), ["none"] * 7),
        ((), [""] * 7),
    ],
)
def test_an_effort_moves_to_the_nearest_that_the_model_has(
    choices: tuple[str, ...], chosen: list[str]
) -> None:
    model = Model(id="m", context_window=1000, reasoning_efforts=choices)
    assert [nearest_effort(model, each) for each in EFFORTS] == chosen
    assert nearest_effort(model, None) == ""


@pytest.mark.parametrize(
    ("family", "wanted", "sent"), [("openai", 4.5, 2), ("openai", 0, 0), ("native", 4.5, 4.5)]
)
def test_a_temperature_moves_to_what_the_models_schema_allows(
    family: Family, wanted: float, sent: float
) -> None:
    model = Model(id="m", context_window=1000, family=family)
    request = CompletionRequest([], "m", 10, parameters={"temperature": wanted})
    assert for_model(request, model).parameters == {"temperature": sent}


async def test_each_api_moves_an_effort() -> None:
    model = Model(id="m", context_window=1000, reasoning_efforts=("low", "high"))
    for asked in (
        await chat_question("Hi", model, reasoning_effort="max"),
        await response_question("Hi", model, reasoning={"effort": "max"}),
    ):
        assert asked.reasoning_effort == "high"


#: Fields of a chat completion, and what a provider gets that speaks OpenAI's protocol.
FORWARDED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"chat_template_kwargs": {"enable_thinking": False}}, {}),
    ({"thinking": {"type": "disabled"}}, {}),
    ({"reasoning": {"effort": "high"}}, {}),
    ({"guided_json": {"type": "object"}}, {}),
    ({"guided_regex": "a+", "min_p": 0.1, "typical_p": 1}, {}),
    ({"enable_thinking": True, "verbosity": "low"}, {}),
    ({"top_k": -1, "repetition_penalty": 1.1}, {}),
    ({"top_k": 100}, {}),
    ({"thinking": None, "min_p": None}, {"thinking": "", "min_p": ""}),
    (
        {"web_search_options": {}, "my_own_field": [1]},
        {"web_search_options": "", "my_own_field": ""},
    ),
]


@pytest.mark.parametrize(("fields", "otherwise"), FORWARDED)
async def test_a_field_of_providers_is_forwarded_as_it_is(
    settings: Settings, fields: dict[str, Any], otherwise: dict[str, Any]
) -> None:
    settings.WORKERS_AI_BASE_URL = "https://models.example.org/v1"
    body = sent(await chat_question(**fields), ProviderEndpoint("https://x", is_workers_ai=False))
    for name, value in fields.items():
        assert body.get(name, "") == otherwise.get(name, value)


@pytest.mark.parametrize("fields", [fields for fields, _ in FORWARDED])
async def test_workers_ai_gets_only_what_it_knows(fields: dict[str, Any]) -> None:
    body = sent(await chat_question(**fields), ProviderEndpoint("https://x"))
    known = {"messages", "stream", "max_tokens", "repetition_penalty", "top_k"}
    assert body.keys() <= known
    assert 1 <= body.get("top_k", 1) <= 50


@pytest.mark.parametrize("field", ["model", "messages", "n", "max_tokens", "stream"])
async def test_no_field_replaces_what_the_site_decides(settings: Settings, field: str) -> None:
    settings.WORKERS_AI_BASE_URL = "https://models.example.org/v1"
    assert field not in (await chat_question(thinking={})).forwarded


@pytest.mark.parametrize(
    ("options", "tokens"),
    [
        ({}, 2048),
        ({"tools": [{"type": "web_search"}]}, 2048),
        ({"tools": [{"type": "function", "name": "f"}]}, 16_384),
        ({"tools": [{"type": "function", "name": "f"}], "max_tokens": 100}, 100),
        ({"tools": [{"type": "function", "name": "f"}], "max_tokens": 1_000_000}, 16_384),
    ],
)
async def test_an_agents_answer_may_be_as_long_as_the_model_can_write(
    settings: Settings, options: dict[str, Any], tokens: int
) -> None:
    settings.MAX_TOKENS, settings.MAX_TOKENS_LIMIT = 2048, 16_384
    assert (await chat_question("Hi", BLIND, **options)).max_tokens == tokens


async def test_instructions_alone_are_answered() -> None:
    system = [{"role": "system", "content": "Be kind."}, {"role": "developer", "content": "Greet."}]
    asked = await chat_question(system)
    assert [each.role for each in asked.messages] == ["system", "user"]


async def test_a_conversation_in_the_old_form_is_read() -> None:
    called = {"name": "f", "arguments": '{"a": 1}'}
    asked = await chat_question(
        [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": None, "function_call": called},
            {"role": "function", "name": "f", "content": "4.2 m"},
        ],
        functions=[{"name": "f"}],
    )
    _question, call, result = [each.as_dict("reasoning") for each in asked.messages]
    assert call["tool_calls"] == [{"id": "call_1", "type": "function", "function": called}]
    assert result == {"role": "tool", "content": "4.2 m", "tool_call_id": "call_1"}


def sent(asked: Any, endpoint: ProviderEndpoint) -> dict[str, Any]:
    """Return the body of the request to the provider."""
    return dict(json.loads(endpoint.body(asked, stream=True)))
