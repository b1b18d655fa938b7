"""With `n`, models of OpenAI's schema give several answers."""

from chat.emulator import Emulator
from tests.emulator.exchange import (
    CHAT_COMPLETIONS,
    GEMMA,
    LLAMA,
    ask_v1,
    question,
    run_path,
    send,
)


async def test_a_document_has_all_answers(emulator: Emulator) -> None:
    document = question("Hello", model=GEMMA, n=3, stream=False)
    reply = (await send(emulator, document, CHAT_COMPLETIONS)).json
    assert [choice["index"] for choice in reply["choices"]] == [0, 1, 2]
    texts = {choice["message"]["content"] for choice in reply["choices"]}
    assert len(texts) > 1
    assert all(choice["finish_reason"] == "stop" for choice in reply["choices"])


async def test_a_stream_has_all_answers_and_one_end(emulator: Emulator) -> None:
    reply = await ask_v1(emulator, "Hello", GEMMA, n=2, stream_options={"include_usage": True})
    found = [choice for event in reply.events for choice in event["choices"]]
    ended = [choice["index"] for choice in found if choice["finish_reason"]]
    assert ended == [0, 1]
    roles = [choice["index"] for choice in found if choice["delta"].get("role")]
    assert roles == [0, 1]
    assert [event for event in reply.events if not event["choices"]] == [reply.events[-1]]
    assert reply.is_done


async def test_the_prompt_counts_once(emulator: Emulator) -> None:
    one = await ask_v1(emulator, "/long 20", GEMMA)
    two = await ask_v1(emulator, "/long 20", GEMMA, n=2)
    assert two.summed_usage["prompt_tokens"] == one.summed_usage["prompt_tokens"]
    assert two.summed_usage["completion_tokens"] > one.summed_usage["completion_tokens"]


async def test_each_answer_may_be_as_long_as_requested(emulator: Emulator) -> None:
    document = question("/long 100", model=GEMMA, n=2, stream=False, max_tokens=10)
    reply = (await send(emulator, document, CHAT_COMPLETIONS)).json
    assert [each["finish_reason"] for each in reply["choices"]] == ["length", "length"]
    assert reply["usage"]["completion_tokens"] == 20


async def test_native_models_give_one_answer(emulator: Emulator) -> None:
    reply = await send(emulator, question("Hello", n=2, stream=False), run_path(LLAMA))
    assert "choices" not in reply.json["result"]
