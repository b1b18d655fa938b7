"""What an answer costs at the model's service."""

from chat.lib.catalogue import Model
from chat.relay.events import Usage

#: Cloudflare's price of a neuron beyond the daily free ones, in US dollars.
NEURON_USD = 0.011 / 1000


def cost_usd(model: Model | None, usage: Usage | None) -> float | None:
    """US dollars: by neurons where the service counted them, else by tokens at the model's prices.

    None where neither is known, which is not the same as free.
    """
    if usage is None:
        return None
    if usage.neurons is not None:
        return usage.neurons * NEURON_USD
    if model is None or model.input_usd_per_million is None or model.output_usd_per_million is None:
        return None
    read = usage.prompt_tokens * model.input_usd_per_million
    written = usage.completion_tokens * model.output_usd_per_million
    return (read + written) / 1_000_000
