import pytest

from chat.emulator import Emulator
from chat.emulator.common import tokens
from chat.emulator.common.usage import neurons
from chat.lib.catalogue import Model, read_catalogue
from tests.emulator.exchange import GEMMA, LLAMA, ask, ask_v1

QWEN = "@cf/qwen/qwen3.8-27b"


def test_neurons_follow_the_published_price() -> None:
    llama = read_catalogue()[LLAMA]
    assert neurons(llama, 0, 1) == pytest.approx(0.204805)
    assert neurons(llama, 1_000_000, 0) == 26668


def test_neurons_follow_the_dollar_price_if_there_is_no_neuron_price() -> None:
    model = Model(id="a", context_window=1, input_usd_per_million=1.1, output_usd_per_million=2.2)
    assert neurons(model, 1000, 1000) == pytest.approx(300)


def test_neurons_are_unknown_without_a_price() -> None:
    assert neurons(Model(id="a", context_window=1), 1, 1) is None


async def test_a_model_without_a_price_reports_no_neurons() -> None:
    model = Model(id="a", context_window=1000, family="native")
    reply = await ask(
        Emulator(tokens_per_second=0, catalogue={"a": model}), "Hello", "a", max_tokens=9
    )
    assert "neurons" not in reply.usage


async def test_the_final_usage_counts_the_text_that_was_sent(emulator: Emulator) -> None:
    reply = await ask(emulator, "Hello")
    completion_tokens = tokens.count(reply.text)
    prompt_tokens = tokens.count("Hello") + 4
    assert reply.usage["completion_tokens"] == completion_tokens
    assert reply.usage["prompt_tokens"] == prompt_tokens
    assert reply.usage["total_tokens"] == prompt_tokens + completion_tokens
    assert reply.usage["neurons"] == pytest.approx(
        (prompt_tokens * 26668 + completion_tokens * 204805) / 1_000_000
    )


async def test_incremental_usage_adds_up_to_the_final_usage(emulator: Emulator) -> None:
    reply = await ask(emulator, "/think 40", GEMMA)
    total, summed = reply.usage, reply.summed_usage
    assert summed["neurons"] == pytest.approx(total.pop("neurons"))
    assert {key: summed[key] for key in total if key in summed} == {
        key: total[key] for key in total if key in summed
    }


async def test_usage_is_reported_per_chunk_unless_requested_at_the_end(emulator: Emulator) -> None:
    reply = await ask_v1(emulator, "Hello", stream_options={"include_usage": True})
    assert [event["choices"] for event in reply.events if "usage" in event] == [[]]
    other = await ask_v1(Emulator(tokens_per_second=0), "Hello")
    assert other.summed_usage["total_tokens"] == reply.events[-1]["usage"]["total_tokens"]


@pytest.mark.parametrize("model", [QWEN, LLAMA])
async def test_cached_tokens_are_reported_and_cost_less_if_they_have_a_price(
    model: str, emulator: Emulator
) -> None:
    cached = await ask(emulator, "/cached 4 Hello", model)
    assert cached.usage["prompt_tokens_details"] == {"cached_tokens": 4}
    found = read_catalogue()[model]
    prompt, completion = cached.usage["prompt_tokens"], cached.usage["completion_tokens"]
    assert cached.usage["neurons"] == pytest.approx(neurons(found, prompt, completion, 4))
    is_cheaper = neurons(found, prompt, completion, 4) < neurons(found, prompt, completion)  # type: ignore[operator]
    assert is_cheaper == (model == QWEN)
