"""The retired models that public examples name still answer, within their old limits."""

import pytest

from chat.emulator import Emulator
from chat.emulator.common.tokens import count
from tests.emulator.exchange import ask, run_path, send

OLD = {
    "@cf/meta/llama-2-7b-chat-int8": (2048, 1800),
    "@cf/meta/llama-2-7b-chat-fp16": (3072, 2500),
}


@pytest.mark.parametrize("model", [*OLD, "@cf/google/gemma-2b-it-lora"])
async def test_a_prompt_gets_an_answer_in_the_format_of_the_examples(
    model: str, emulator: Emulator
) -> None:
    reply = await send(emulator, {"prompt": "where is new york?", "stream": True}, run_path(model))
    assert (reply.status, reply.is_done) == (200, True)
    assert all("response" in event for event in reply.events)


@pytest.mark.parametrize("model", OLD)
async def test_an_answer_ends_at_the_sequence_length(model: str, emulator: Emulator) -> None:
    longest = OLD[model][1]
    reply = await ask(emulator, "/long 4000", model, max_tokens=4000)
    assert reply.usage["completion_tokens"] == longest
    short = await ask(emulator, "/long 4000", model, max_tokens=50)
    assert short.usage["completion_tokens"] == 50


@pytest.mark.parametrize("model", OLD)
async def test_a_prompt_beyond_the_context_length_is_refused(
    model: str, emulator: Emulator
) -> None:
    longest = OLD[model][0]
    words = "word " * longest
    assert count(words) >= longest
    reply = await ask(emulator, words, model, max_tokens=10)
    assert reply.code == 5021
    assert str(longest) in reply.message
