"""Tools: what clients send is written as Workers AI accepts it, and its calls as OpenAI's."""

import json
from typing import Any

import pytest

from tests.support.api.api_client import LOOK_UP, MODEL, MODELS, ApiClient, events_of
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

CALLS = [{"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}]
HISTORY = [
    {"role": "user", "content": "/tool the level"},
    {"role": "assistant", "content": None, "tool_calls": CALLS, "refusal": None},
    {"role": "tool", "tool_call_id": "c1", "content": "4.2 m"},
]


@pytest.mark.parametrize("model", MODELS)
async def test_a_tool_call_of_a_whole_answer(program: ApiClient, model: str) -> None:
    found = (await program.complete("/tool the level", model=model, tools=[LOOK_UP])).json()
    (choice,) = found["choices"]
    (call,) = choice["message"]["tool_calls"]
    assert (choice["finish_reason"], choice["message"]["content"]) == ("tool_calls", None)
    assert (call["type"], call["function"]["name"]) == ("function", "look_up")
    assert json.loads(call["function"]["arguments"]) == {"query": "the level"}
    assert len(call["id"]) <= 40


@pytest.mark.parametrize("model", MODELS)
async def test_a_streamed_tool_call_has_its_index_id_and_name_first(
    program: ApiClient, model: str
) -> None:
    response = await program.complete("/tool it", model=model, tools=[LOOK_UP], stream=True)
    *chunks, last, _done = await events_of(response)
    assert last["choices"][0]["finish_reason"] == "tool_calls"
    deltas = [c["choices"][0]["delta"] for c in chunks]
    first, *rest = [d["tool_calls"][0] for d in deltas if "tool_calls" in d]
    assert set(first) == {"index", "id", "type", "function"}
    assert first["function"] == {"name": "look_up", "arguments": ""}
    assert all(set(each) == {"index", "function"} for each in rest)
    arguments = "".join(each["function"]["arguments"] for each in rest)
    assert json.loads(arguments) == {"query": "it"}


async def test_ids_of_calls_differ_between_answers(program: ApiClient) -> None:
    ids = set()
    for _ in range(3):
        found = (await program.complete("/tool x", tools=[LOOK_UP])).json()
        ids.add(found["choices"][0]["message"]["tool_calls"][0]["id"])
    assert len(ids) == 3


@pytest.mark.parametrize("model", MODELS)
async def test_the_model_answers_with_a_tools_result(program: ApiClient, model: str) -> None:
    response = await program.complete(model=model, messages=HISTORY, tools=[LOOK_UP])
    assert "4.2 m" in response.json()["choices"][0]["message"]["content"]


async def sent(program: ApiClient, **options: Any) -> Any:
    """Return what the provider gets."""
    told = stream_of(b'data: {"response":"Well"}\n\n', b"data: [DONE]\n\n")
    async with site_with(always(told)) as raw:
        response = await program.complete(**options)
        assert response.status_code == 200, response.content
    return json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])


async def test_a_tool_without_description_or_parameters_gets_empty_ones(program: ApiClient) -> None:
    tool = {"type": "function", "function": {"name": "a", "description": "", "parameters": {}}}
    found = await sent(program, tools=[LOOK_UP, tool], parallel_tool_calls=False)
    empty = {"type": "object", "properties": {}}
    names = ["look_up", "a"]
    assert found["tools"] == [
        {"type": "function", "function": {"name": name, "description": "", "parameters": empty}}
        for name in names
    ]
    assert found["parallel_tool_calls"] is False
    assert "tool_choice" not in found


@pytest.mark.parametrize(
    ("choice", "written"),
    [
        ("auto", None),
        ("required", "required"),
        ("any", "required"),
        (
            {"type": "function", "function": {"name": "look_up"}},
            {"type": "function", "function": {"name": "look_up"}},
        ),
    ],
)
async def test_a_choice_of_tool_is_passed_on(program: ApiClient, choice: Any, written: Any) -> None:
    found = await sent(program, tools=[LOOK_UP], tool_choice=choice)
    assert found.get("tool_choice") == written


async def test_no_tools_are_sent_if_none_may_be_called(program: ApiClient) -> None:
    assert "tools" not in await sent(program, tools=[LOOK_UP], tool_choice="none")


async def test_calls_and_results_reach_the_model_unmerged_and_in_order(program: ApiClient) -> None:
    messages = [
        *HISTORY,
        {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "5 m"}]},
        {"role": "assistant", "content": "So.", "reasoning_content": "Hm."},
        {"role": "user", "content": "And?"},
    ]
    found = await sent(program, messages=messages)
    assert found["messages"] == [
        {"role": "user", "content": "/tool the level"},
        {"role": "assistant", "content": "", "tool_calls": CALLS},
        {"role": "tool", "content": "4.2 m", "tool_call_id": "c1"},
        {"role": "tool", "content": "5 m", "tool_call_id": "c2"},
        {"role": "assistant", "content": "So.", "reasoning": "Hm."},
        {"role": "user", "content": "And?"},
    ]


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"tools": [{"type": "function"}]}, "tools[0]"),
        ({"tools": [LOOK_UP], "model": "@cf/meta/llama-3.1-8b-instruct-fp8"}, "tools"),
    ],
)
async def test_invalid_tools_are_refused_by_name(
    program: ApiClient, options: dict[str, Any], param: str
) -> None:
    response = await program.complete(**{"model": MODEL, **options})
    error = response.json()["error"]
    assert (response.status_code, error["param"]) == (400, param), error
