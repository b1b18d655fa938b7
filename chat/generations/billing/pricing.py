"""What an answer costs at the model's service, by its own count or by the model's prices."""

from django.conf import settings

from chat.generations.result import Result
from chat.lib.catalogue import Model
from chat.quotas.amounts import NOTHING, Amount
from chat.upstream.events import Usage

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
    return _at_prices(model, usage) if model else None


def amount_of(model: Model | None, usage: Usage) -> Amount:
    """The same with tokens and neurons, as limits count it.

    A model without a price would be free for as long as nobody looks. It counts at
    `ASSUMED_USD_PER_MILLION_TOKENS`; a price of 0 in the catalogue is a price.
    """
    dollars = cost_usd(model, usage)
    if dollars is None:
        dollars = usage.total_tokens * settings.ASSUMED_USD_PER_MILLION_TOKENS / 1_000_000
    neurons = usage.neurons
    if neurons is None:
        neurons = _neurons(model, usage) if model else None
    if neurons is None:
        neurons = dollars / NEURON_USD
    return Amount.of(usage.total_tokens, neurons, dollars)


def spent(model: Model | None, prompt_tokens: int, most: Amount, ending: Result) -> Amount:
    """What an answer that ended so did cost.

    Nothing if it failed before the first word. Where the service did not say (it was stopped, or
    broke off) by our estimate of what was read and written, which is on the safe side but never
    above `most`: the service was not asked for more.
    """
    if ending.usage:
        return amount_of(model, ending.usage)
    if ending.state == "failed" and not ending.said_tokens:
        return NOTHING
    return amount_of(model, usage_of(prompt_tokens, ending.said_tokens)) & most


def usage_of(prompt_tokens: int, completion_tokens: int) -> Usage:
    return Usage(prompt_tokens, completion_tokens, prompt_tokens + completion_tokens, None)


def _at_prices(model: Model, usage: Usage) -> float | None:
    if model.input_usd_per_million is None or model.output_usd_per_million is None:
        return None
    again = model.cached_input_usd_per_million
    read = _read(usage, model.input_usd_per_million, again)
    return (read + usage.completion_tokens * model.output_usd_per_million) / 1_000_000


def _neurons(model: Model, usage: Usage) -> float | None:
    if model.input_neurons_per_million is None or model.output_neurons_per_million is None:
        return None
    again = model.cached_input_neurons_per_million
    read = _read(usage, model.input_neurons_per_million, again)
    return (read + usage.completion_tokens * model.output_neurons_per_million) / 1_000_000


def _read(usage: Usage, price: float, cached_price: float | None) -> float:
    """The prompt; what came from a cache at its own price, or at the usual one if it has none."""
    cached = usage.cached_tokens or 0
    return (usage.prompt_tokens - cached) * price + cached * (
        price if cached_price is None else cached_price
    )
