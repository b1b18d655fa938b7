import json

import pytest

from chat.emulator import Emulator
from tests.emulator.exchange import (
    CHAT_COMPLETIONS,
    GEMMA,
    GPT_OSS,
    LLAMA,
    QWQ,
    SCOUT,
    ask,
    ask_v1,
    delta_of,
    question,
    run_path,
    send,
)

EVERY_MODEL = [LLAMA, SCOUT, GEMMA, GPT_OSS, QWQ]


@pytest.mark.parametrize("model", EVERY_MODEL)
async def test_every_stream_has_one_event_per_part_and_ends_with_done(
    emulator: Emulator, model: str
) -> None:
    for reply in (await ask(emulator, "Hello", model), await ask_v1(emulator, "Hello", model)):
        assert reply.headers["content-type"] == "text/event-stream"
        assert all(part.startswith(b"data: ") and part.endswith(b"\n\n") for part in reply.parts)
        assert all(part.count(b"\n") == 2 for part in reply.parts)
        assert reply.data[-1] == "[DONE]"


async def test_native_chunks_are_responses_with_padding_and_no_finish(emulator: Emulator) -> None:
    *texts, empty, tail = (await ask(emulator, "Hello", LLAMA)).events
    assert all(set(event) == {"response", "tool_calls", "p"} for event in texts)
    assert empty == {"response": ""}
    assert set(tail) == {"response", "usage"}
    assert len({len(event["p"]) for event in texts}) > 10


async def test_dual_chunks_say_the_same_twice_when_tools_are_offered(emulator: Emulator) -> None:
    tools = [{"name": "read_gauge", "description": "Reads a gauge", "parameters": {}}]
    *texts, _, _ = (await ask(emulator, "Hello", SCOUT, tools=tools)).events
    assert all(event["response"] == delta_of(event)["content"] for event in texts)


async def test_dual_models_are_native_without_tools(emulator: Emulator) -> None:
    assert not [
        event for event in (await ask(emulator, "Hello", SCOUT)).events if "choices" in event
    ]


async def test_openai_chunks_on_run_open_with_a_role_and_end_with_the_native_tail(
    emulator: Emulator,
) -> None:
    reply = await ask(emulator, "Hello", GEMMA)
    opening, *_, finish, no_choices, tail = reply.events
    assert delta_of(opening) == {"content": "", "reasoning_content": None, "role": "assistant"}
    assert opening["usage"]["prompt_tokens"] > 0
    assert finish["choices"][0]["finish_reason"] == "stop"
    assert finish["choices"][0]["matched_stop"] == 106
    assert no_choices["choices"] == []
    assert no_choices["usage"]["total_tokens"] == 0
    assert set(tail) == {"response", "usage"}
    assert len({event["id"] for event in reply.events[:-1]}) == 1


@pytest.mark.parametrize("model", EVERY_MODEL)
async def test_chat_completions_is_safe_for_strict_clients(emulator: Emulator, model: str) -> None:
    for prompt in ("Hello", "/think", "/markdown", "/tool"):
        for event in (await ask_v1(emulator, prompt, model)).events:
            assert event["object"] == "chat.completion.chunk"
            assert event["model"] == model
            assert len(event["choices"]) == 1
            assert isinstance(delta_of(event).get("content", ""), str)
            assert "p" not in event


async def test_reasoning_comes_first_under_its_usual_name(emulator: Emulator) -> None:
    for model in (LLAMA, GEMMA):
        reply = await ask(emulator, "/think 40", model)
        kinds = ["reasoning_content" in delta_of(event) for event in reply.events if event.get("p")]
        assert reply.reasoning
        assert "<think>" not in reply.text
        assert kinds[1]


async def test_gpt_oss_sends_its_reasoning_under_both_names(emulator: Emulator) -> None:
    for reply in (
        await ask(emulator, "/think 40", GPT_OSS),
        await ask_v1(emulator, "/think", GPT_OSS),
    ):
        thinking = [delta_of(event) for event in reply.events if "reasoning" in delta_of(event)]
        assert len(thinking) > 20
        assert all(delta["reasoning"] == delta["reasoning_content"] for delta in thinking)


async def test_qwq_writes_its_reasoning_into_the_text(emulator: Emulator) -> None:
    reply = await ask(emulator, "/think 40", QWQ)
    assert reply.text.startswith("<think>\n")
    assert "\n</think>\n\n" in reply.text
    assert reply.reasoning == ""


async def test_a_native_tool_call_arrives_in_pieces_and_ends_with_nulls(emulator: Emulator) -> None:
    name, first, second, nulls, finish, _ = (await ask(emulator, "/tool the level", LLAMA)).events
    assert name["tool_calls"][0]["function"] == {"name": "look_up"}
    pieces = [event["tool_calls"][0]["function"]["arguments"] for event in (first, second)]
    assert json.loads("".join(pieces)) == {"query": "the level"}
    assert nulls["tool_calls"][0]["id"] is None
    assert finish == {"finish_reason": "tool_calls"}


async def test_an_openai_tool_call_arrives_in_pieces(emulator: Emulator) -> None:
    for reply in (await ask(emulator, "/tool x", GEMMA), await ask_v1(emulator, "/tool x", LLAMA)):
        calls = [delta_of(e)["tool_calls"][0] for e in reply.events if "tool_calls" in delta_of(e)]
        assert calls[0]["function"]["name"] == "look_up"
        assert json.loads("".join(c["function"]["arguments"] for c in calls)) == {"query": "x"}
        assert reply.finish_reasons == ["tool_calls"]


async def test_a_native_document_has_an_envelope(emulator: Emulator) -> None:
    reply = await send(emulator, question("Hello", stream=False), run_path(LLAMA))
    assert reply.headers["content-type"] == "application/json"
    assert set(reply.json) == {"result", "success", "errors", "messages"}
    result = reply.json["result"]
    assert "emulator" in result["response"]
    assert reply.headers["cf-ai-neurons"] == f"{result['usage']['neurons']:.2f}"


async def test_an_openai_document_on_run_has_a_completion_in_the_envelope(
    emulator: Emulator,
) -> None:
    reply = await send(emulator, question("/think 30", stream=False), run_path(GPT_OSS))
    message = reply.json["result"]["choices"][0]["message"]
    assert message["reasoning"] == message["reasoning_content"]
    assert "emulator" in message["content"]


async def test_a_completion_on_chat_completions_has_no_envelope(emulator: Emulator) -> None:
    document = {"model": LLAMA, **question("Hello", stream=False)}
    reply = await send(emulator, document, CHAT_COMPLETIONS)
    assert reply.json["object"] == "chat.completion"
    assert reply.json["choices"][0]["finish_reason"] == "stop"
    assert reply.json["usage"]["total_tokens"] > 0


async def test_tool_calls_in_documents_are_flat_on_native_models(emulator: Emulator) -> None:
    reply = await send(emulator, question("/tool x", stream=False), run_path(LLAMA))
    assert reply.json["result"]["tool_calls"] == [{"name": "look_up", "arguments": {"query": "x"}}]
    reply = await send(emulator, question("/tool x", stream=False), run_path(GEMMA))
    choice = reply.json["result"]["choices"][0]
    assert choice["message"]["content"] is None
    assert json.loads(choice["message"]["tool_calls"][0]["function"]["arguments"]) == {"query": "x"}
    assert choice["finish_reason"] == "tool_calls"


async def test_a_document_and_a_stream_have_the_same_content() -> None:
    streamed = await ask(Emulator(tokens_per_second=0), "Hello")
    whole = await send(Emulator(tokens_per_second=0), question("Hello", stream=False), run_path())
    assert whole.json["result"]["response"] == streamed.text
    assert whole.json["result"]["usage"] == streamed.usage
