"""Answers: whole and as lines of JSON, field by field as Ollama's package declares them."""

import json
from typing import Any

import pytest

from tests.support.api.api_client import GEMMA, GPT_OSS, MODEL, MODELS, ApiClient
from tests.support.api.ollama_client import (
    LOOK_UP,
    asking,
    chat,
    generate,
    lines_of,
    require_conforming,
)
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

COUNTS = {"prompt_eval_count", "eval_count"}
DURATIONS = {"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"}


@pytest.mark.parametrize("model", MODELS)
async def test_a_stream_has_pieces_and_an_end_with_all_numbers(
    program: ApiClient, model: str
) -> None:
    *pieces, end = await lines_of(await chat(program, model=model))
    assert "“Hello”" in "".join(each["message"]["content"] for each in pieces)
    assert {each["done"] for each in pieces} == {False}
    assert {each["model"] for each in [*pieces, end]} == {model}
    assert (end["done"], end["done_reason"]) == (True, "stop")
    assert end["message"] == {"role": "assistant", "content": ""}
    assert end["prompt_eval_count"] > 0
    assert end["eval_count"] > 50
    assert end.keys() >= DURATIONS
    assert end["total_duration"] >= end["prompt_eval_duration"]
    assert end["eval_duration"] > 0


async def test_a_whole_answer_is_one_object(program: ApiClient) -> None:
    response = await chat(program, stream=False)
    found = response.json()
    require_conforming(found)
    assert response["Content-Type"] == "application/json"
    assert "“Hello”" in found["message"]["content"]
    assert (found["message"]["role"], found["done_reason"]) == ("assistant", "stop")
    assert found.keys() >= COUNTS | DURATIONS


async def test_a_single_prompt_has_a_response_instead_of_a_message(program: ApiClient) -> None:
    *pieces, end = await lines_of(await generate(program))
    assert "“Hello”" in "".join(each["response"] for each in pieces)
    assert (end["response"], end["done_reason"]) == ("", "stop")
    whole = (await generate(program, stream=False, system="Be kind.")).json()
    require_conforming(whole)
    assert "“Hello”" in whole["response"]
    assert "message" not in whole


@pytest.mark.parametrize("ask", [chat, generate])
async def test_thinking_has_a_field_of_its_own(program: ApiClient, ask: Any) -> None:
    def thinking(found: dict[str, Any]) -> str:
        return str(found.get("message", found).get("thinking", ""))

    shown, hidden = {"think": True}, {"think": False}
    pieces = await lines_of(await ask(program, "/think", model=GPT_OSS, **shown))
    whole = (await ask(program, "/think", model=GPT_OSS, stream=False)).json()
    assert "".join(map(thinking, pieces))
    assert thinking(whole)
    for stream in (True, False):
        response = await ask(program, "/think", model=GPT_OSS, stream=stream, **hidden)
        found = await lines_of(response) if stream else [response.json()]
        assert not any(map(thinking, found))


@pytest.mark.parametrize("model", MODELS)
async def test_a_tool_is_called_with_an_object(program: ApiClient, model: str) -> None:
    options = {"model": model, "tools": [LOOK_UP]}
    *_pieces, called, end = await lines_of(await chat(program, "/tool the level", **options))
    whole = (await chat(program, "/tool the level", **options, stream=False)).json()
    require_conforming(whole)
    for found in (called, whole):
        (call,) = found["message"]["tool_calls"]
        assert call["function"]["name"] == "look_up"
        assert call["function"]["arguments"] == {"query": "the level"}
        assert call["id"]
    assert end["done_reason"] == whole["done_reason"] == "stop"


async def test_an_answer_cut_at_the_limit_says_so(program: ApiClient) -> None:
    found = (await chat(program, "/long", options={"num_predict": 20}, stream=False)).json()
    assert (found["done_reason"], found["eval_count"]) == ("length", 20)


@pytest.mark.parametrize("name", [f"{MODEL}:latest", MODEL])
async def test_a_model_keeps_the_name_that_the_program_wrote(program: ApiClient, name: str) -> None:
    assert (await chat(program, model=name, stream=False)).json()["model"] == name


@pytest.mark.parametrize(
    ("path", "fields", "reason"),
    [
        ("chat", {"messages": []}, "load"),
        ("chat", {}, "load"),
        ("generate", {"prompt": ""}, "load"),
        ("generate", {"keep_alive": 0}, "unload"),
        ("chat", {"messages": [], "keep_alive": "0s"}, "unload"),
    ],
)
async def test_a_request_without_a_question_only_loads_the_model(
    program: ApiClient, path: str, fields: dict[str, Any], reason: str
) -> None:
    response = await program.post(f"/api/{path}", {"model": MODEL, **fields})
    found = response.json()
    require_conforming(found)
    assert (found["done"], found["done_reason"]) == (True, reason)
    missing = await program.post(f"/api/{path}", {"model": "llama9", **fields})
    assert missing.status_code == 404


def fragment(index: int, arguments: str, name: str = "") -> bytes:
    call = {"index": index, "function": {"name": name, "arguments": arguments}}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


def ended(reason: str) -> list[bytes]:
    choice = {"index": 0, "delta": {}, "finish_reason": reason}
    last = b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"
    return [last, b"data: [DONE]\n\n"]


#: What a model writes, how it ends, and the arguments that the program gets.
CALLS: dict[str, tuple[list[bytes], str, list[Any]]] = {
    "both at once": (
        [
            fragment(0, "", "f"),
            fragment(1, "", "g"),
            fragment(0, '{"a":'),
            fragment(1, '{"b":'),
            fragment(0, "1}"),
            fragment(1, "2}"),
        ],
        "tool_calls",
        [{"a": 1}, {"b": 2}],
    ),
    "on several lines": (
        [fragment(0, '{\n  "a": "x\u2028y",\r\n  "b": 1.50\n}', "f")],
        "tool_calls",
        [{"a": "x\u2028y", "b": 1.5}],
    ),
    "without arguments": ([fragment(0, "", "f")], "tool_calls", [{}]),
    "no object": ([fragment(0, "[1]", "f")], "tool_calls", [{}]),
    "cut": ([fragment(0, '{"a":1}', "f"), fragment(1, '{"b": "ha', "g")], "length", [{"a": 1}]),
    "cut before its arguments": ([fragment(0, "", "f")], "length", []),
}


@pytest.mark.parametrize("kind", CALLS)
async def test_a_call_comes_whole_or_not_at_all(program: ApiClient, kind: str) -> None:
    pieces, reason, expected = CALLS[kind]
    async with site_with(always(stream_of(*pieces, *ended(reason)))):
        options: dict[str, Any] = {"model": GEMMA, "tools": [LOOK_UP]}
        whole = (await chat(program, **options, stream=False)).json()
        lines = await lines_of(await chat(program, **options))
    calls = [call for each in lines for call in each["message"].get("tool_calls", [])]
    for found in (calls, whole["message"].get("tool_calls", [])):
        assert [each["function"]["arguments"] for each in found] == expected
    assert whole["done_reason"] == ("length" if reason == "length" else "stop")


async def test_no_separator_of_unicode_ends_a_line(program: ApiClient) -> None:
    text = "a\x85b\u2028c\u2029d\x1ce"
    said = b"data: " + json.dumps({"response": text}).encode() + b"\n\n"
    async with site_with(always(stream_of(said, b"data: [DONE]\n\n"))):
        first, *_ = await lines_of(await chat(program))
    assert first["message"]["content"] == text


async def test_numbers_are_estimated_if_the_provider_counts_nothing(program: ApiClient) -> None:
    said = b'data: {"response":"Good morning."}\n\n'
    async with site_with(always(stream_of(said, b"data: [DONE]\n\n"))):
        found = (await chat(program, stream=False)).json()
    assert found["prompt_eval_count"] > 0
    assert found["eval_count"] > 0


async def test_messages_of_a_loop_of_tools_are_answered(program: ApiClient) -> None:
    messages = [asking("/tool the level")]
    options: dict[str, Any] = {"model": GEMMA, "tools": [LOOK_UP], "stream": False}
    answer = (await chat(program, messages=messages, **options)).json()["message"]
    messages += [answer, {"role": "tool", "tool_name": "look_up", "content": "4.2 m"}]
    assert (
        "4.2 m" in (await chat(program, messages=messages, **options)).json()["message"]["content"]
    )
