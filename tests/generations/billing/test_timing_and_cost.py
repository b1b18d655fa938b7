"""The cost and duration of an answer are sent with its end, stored, and read back unchanged."""

import pytest
from django.test import AsyncClient

from chat.generations.billing.pricing import cost_usd
from chat.lib.catalogue import Model
from chat.upstream.events import Usage
from tests.support.generations.follow import follow
from tests.support.generations.send import send, stored
from tests.support.generations.stream_reader import read_stream

PRICED = Model(id="x", context_window=1, input_usd_per_million=0.5, output_usd_per_million=2.0)
UNPRICED = Model(id="x", context_window=1)


@pytest.mark.parametrize(
    ("model", "usage", "expected"),
    [
        (PRICED, Usage(1_000_000, 500_000, 1_500_000), 1.5),
        (PRICED, Usage(1, 1, 2, neurons=1000.0), 0.011),
        (UNPRICED, Usage(1, 1, 2, neurons=1000.0), 0.011),
        (UNPRICED, Usage(1, 1, 2), None),
        (None, Usage(1, 1, 2), None),
        (PRICED, None, None),
    ],
)
def test_neurons_take_precedence_over_prices_and_unknown_is_not_free(
    model: Model | None, usage: Usage | None, expected: float | None
) -> None:
    assert cost_usd(model, usage) == pytest.approx(expected)


async def test_duration_and_cost_are_sent_and_stored(alice_client: AsyncClient) -> None:
    response = await send(alice_client, text="Why do rivers bend?")
    stream = await read_stream(response)
    timing, usage = stream.key("timing"), stream.key("usage")
    generation, _ = await stored(response)
    assert 0 <= timing["first_token_milliseconds"] <= timing["milliseconds"]
    assert usage["cost_usd"] > 0
    assert generation.milliseconds == timing["milliseconds"]
    assert generation.cost_usd == pytest.approx(usage["cost_usd"])
    page = await alice_client.get(
        f"/chat/{response['X-Conversation-Id']}/", headers={"Accept": "application/json"}
    )
    assert page.json()["turns"][-1]["timing"] == timing
    again = await read_stream(await follow(alice_client, response["X-Generation-Id"], after=1))
    assert again.payloads[-1] == stream.payloads[-1]
