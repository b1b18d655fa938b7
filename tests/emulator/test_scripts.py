"""Each command does what docs/emulator.md says."""

import json

import pytest

from chat.emulator import COMMANDS, STARTERS, Emulator
from chat.emulator.common import tokens
from chat.emulator.common.faults import FAULTS
from tests.emulator.exchange import (
    GEMMA,
    LLAMA,
    SCOUT,
    Reply,
    ask,
    ask_v1,
    run_path,
    send,
)

QUIRKY_TEXT = (
    "There are 42 stones in the ford, or 0.50 of 84; true or false, 0 are missing. 🌊 That was all."
)


async def test_a_plain_prompt_gets_a_plain_answer(emulator: Emulator) -> None:
    reply = await ask(emulator, "Why do rivers bend?")
    assert "> “Why do rivers bend?”" in reply.text


async def test_the_messages_of_a_request_are_counted(emulator: Emulator) -> None:
    turns = [("system", "Be kind."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Why?")]
    messages = [{"role": role, "content": content} for role, content in turns]
    assert "4 messages" in (await send(emulator, {"messages": messages, "stream": True})).text


async def test_the_last_user_message_selects_the_command(emulator: Emulator) -> None:
    turns = [("user", "/empty"), ("assistant", "/cut"), ("user", "Hello")]
    messages = [{"role": role, "content": content} for role, content in turns]
    assert "“Hello”" in (await send(emulator, {"messages": messages, "stream": True})).text


async def test_a_prompt_counts_as_one_message(emulator: Emulator) -> None:
    reply = await send(emulator, {"prompt": "Hello", "stream": True})
    assert "“Hello”" in reply.text
    assert "message**" in reply.text


async def test_repeating_a_question_gives_another_answer(emulator: Emulator) -> None:
    answers = {(await ask(emulator, "Hello")).text for _ in range(5)}
    assert len(answers) > 1


async def test_emulators_with_the_same_seed_agree() -> None:
    async def heard(seed: int) -> str:
        return (await ask(Emulator(tokens_per_second=0, seed=seed), "/long 300")).text

    assert await heard(1) == await heard(1) != await heard(2)


@pytest.mark.parametrize("text", ["/unknown", "/", "/longer 3", "/ help", "path /help"])
async def test_unknown_commands_are_ordinary_text(emulator: Emulator, text: str) -> None:
    assert f"> “{text}”" in (await ask(emulator, text)).text


async def test_commands_ignore_case_and_spaces(emulator: Emulator) -> None:
    assert "| `/stall [tokens]` |" in (await ask(emulator, "  /HELP \n")).text


async def test_help_lists_every_command(emulator: Emulator) -> None:
    text = (await ask(emulator, "/help")).text
    for command in COMMANDS:
        assert f"| `{command.usage}` | {command.description} |" in text


async def test_there_are_few_starters_and_each_gets_an_answer(emulator: Emulator) -> None:
    assert 4 <= len(STARTERS) <= 6
    for starter in STARTERS:
        assert (await ask(emulator, starter.prompt)).text


async def test_long_has_the_requested_length(emulator: Emulator) -> None:
    reply = await ask(emulator, "/long 700")
    assert 700 <= reply.usage["completion_tokens"] < 760
    assert "## " in reply.text


async def test_long_can_write_sixteen_thousand_tokens(emulator: Emulator) -> None:
    reply = await ask(emulator, "/long 16000", SCOUT, max_tokens=20_000)
    assert reply.usage["completion_tokens"] >= 16_000


async def test_native_models_stop_at_256_tokens_by_default(emulator: Emulator) -> None:
    reply = await send(emulator, {"prompt": "/long", "stream": True})
    assert reply.usage["completion_tokens"] == 256
    assert reply.finish_reasons == []


async def test_openai_models_continue_to_the_end_by_default(emulator: Emulator) -> None:
    reply = await send(emulator, {"prompt": "/long 700", "stream": True}, run_path(GEMMA))
    assert reply.usage["completion_tokens"] >= 700


async def test_an_answer_cut_at_max_tokens_has_the_reason_length(emulator: Emulator) -> None:
    reply = await ask(emulator, "/long", GEMMA, max_tokens=20)
    assert reply.finish_reasons == ["length"]
    assert reply.usage["completion_tokens"] == 20


async def test_max_completion_tokens_takes_precedence(emulator: Emulator) -> None:
    reply = await ask_v1(emulator, "/long", GEMMA, max_tokens=90, max_completion_tokens=30)
    assert reply.summed_usage["completion_tokens"] == 30


async def test_markdown_and_hostile_arrive_unchanged(emulator: Emulator) -> None:
    assert "```python" in (await ask(emulator, "/markdown")).text
    assert '<img src=x onerror="document.title' in (await ask(emulator, "/hostile")).text


async def test_think_reasons_for_the_requested_length(emulator: Emulator) -> None:
    reply = await ask(emulator, "/think 80")
    assert 80 <= tokens.count(reply.reasoning) < 130
    assert "“" not in reply.text
    assert "“Why?”" in (await ask(emulator, "/think 80 Why?")).text


async def test_reasoning_can_use_up_all_tokens(emulator: Emulator) -> None:
    reply = await ask(emulator, "/think 100", GEMMA, max_tokens=50)
    assert reply.text == ""
    assert reply.finish_reasons == ["length"]


async def test_reasoning_models_reason_briefly_by_default(emulator: Emulator) -> None:
    assert (await ask(emulator, "Hello", GEMMA)).reasoning
    for off in (
        {"reasoning_effort": None},
        {"chat_template_kwargs": {"enable_thinking": False}},
        {"chat_template_kwargs": {"thinking": False}},
    ):
        assert not (await ask(emulator, "Hello", GEMMA, **off)).reasoning
    assert not (await ask(emulator, "Hello", LLAMA)).reasoning


@pytest.mark.parametrize("name", FAULTS)
async def test_error_can_return_every_fault(emulator: Emulator, name: str) -> None:
    fault = FAULTS[name]
    reply = await ask(emulator, f"/error {name}")
    assert reply.status == fault.status
    if fault.envelope == "html":
        assert reply.headers["content-type"].startswith("text/html")
        assert str(fault.status).encode() in reply.raw
    else:
        assert reply.headers["content-type"] == "application/json"
        assert reply.code == fault.code


async def test_a_context_error_states_the_models_own_window(emulator: Emulator) -> None:
    reply = await ask(emulator, "/error 5021", GEMMA)
    assert "(174762) exceeded this model context window limit (131072)" in reply.message
    assert "maximum context length is 24000" in (await ask(emulator, "/error 8007")).message


@pytest.mark.parametrize("text", ["/error", "/error 1234", "/error <b>"])
async def test_an_unknown_error_code_lists_the_known_ones(emulator: Emulator, text: str) -> None:
    reply = await ask(emulator, text)
    assert reply.status == 200
    assert "| `/error 3040` | 429 | 3040 |" in reply.text


async def test_busy_refuses_the_given_number_of_times(emulator: Emulator) -> None:
    async def statuses(text: str) -> list[int]:
        return [(await ask(emulator, text)).status for _ in range(4)]

    assert await statuses("/busy") == [429, 200, 200, 200]
    assert await statuses("/busy 2") == [429, 429, 200, 200]


async def test_error_after_ends_with_an_error_object(emulator: Emulator) -> None:
    for reply in (await ask(emulator, "/error-after 5"), await ask_v1(emulator, "/error-after 5")):
        assert tokens.count(reply.text) == 5
        assert reply.events[-1]["errors"][0]["code"] == 8005
        assert not reply.is_done


async def test_error_after_zero_sends_only_the_error(emulator: Emulator) -> None:
    reply = await ask(emulator, "/error-after 0", GEMMA)
    assert [set(event) for event in reply.events] == [{"errors", "success", "result", "messages"}]


async def test_cut_ends_without_a_terminal_event(emulator: Emulator) -> None:
    reply = await ask(emulator, "/cut 7", GEMMA)
    assert tokens.count(reply.text) == 7
    assert reply.finish_reasons == []
    assert not reply.is_done


async def test_empty_is_complete_and_billed(emulator: Emulator) -> None:
    for reply in (await ask(emulator, "/empty"), await ask(emulator, "/empty", GEMMA)):
        assert reply.text == ""
        assert reply.is_done
        assert reply.usage["completion_tokens"] == 24


async def test_quirks_contain_every_oddity(emulator: Emulator) -> None:
    reply = await ask(emulator, "/quirks")
    values = [event["response"] for event in reply.events if "response" in event]
    assert {42, 84, True, 0, None} <= set(values)
    assert b'"content":0.50' in reply.raw
    assert reply.finish_reasons == ["stop", "stop"]
    assert reply.data.count("[DONE]") == 2
    assert careful_reading(reply) == QUIRKY_TEXT


def careful_reading(reply: Reply) -> str:
    """Join the text, including numbers and booleans, without repeating anything."""
    parts: list[str] = []
    for data in reply.data[: reply.data.index("[DONE]")]:
        event = json.loads(data, parse_int=str, parse_float=str)
        choices = event.get("choices") or [{}]
        for value in (choices[0].get("delta", {}).get("content"), event.get("response")):
            if value not in (None, ""):
                parts.append(value if isinstance(value, str) else json.dumps(value))
                break
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16")


async def test_bytes_are_sent_one_at_a_time(emulator: Emulator) -> None:
    reply = await ask(emulator, "/bytes")
    assert {len(part) for part in reply.parts} == {1}
    assert "川" in reply.text
    assert reply.is_done


async def test_json_answers_with_a_document_instead_of_a_stream(emulator: Emulator) -> None:
    reply = await ask(emulator, "/json Hello")
    assert reply.headers["content-type"] == "application/json"
    assert "“Hello”" in reply.json["result"]["response"]
    reply = await ask_v1(emulator, "/json Hello")
    assert "“Hello”" in reply.json["choices"][0]["message"]["content"]


async def test_a_tool_call_uses_the_first_tool_offered(emulator: Emulator) -> None:
    tools = [{"type": "function", "function": {"name": "read_gauge", "parameters": {}}}]
    reply = await ask(emulator, "/tool", LLAMA, tools=tools)
    assert reply.events[0]["tool_calls"][0]["function"]["name"] == "read_gauge"


async def test_the_result_of_a_tool_gets_an_answer(emulator: Emulator) -> None:
    messages = [
        {"role": "user", "content": "/tool"},
        {"role": "assistant", "content": ""},
        {"role": "tool", "content": "1.24 m", "tool_call_id": "call_1"},
    ]
    reply = await send(emulator, {"messages": messages, "stream": True, "max_tokens": 900})
    assert "“1.24 m”" in reply.text


async def test_slow_and_fast_apply_to_the_following_command(emulator: Emulator) -> None:
    assert "“Hello”" in (await ask(emulator, "/fast Hello", max_tokens=90)).text
    assert (await ask(emulator, "/slow Hello", max_tokens=1)).is_done
