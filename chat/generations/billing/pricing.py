"""Calculate the cost of an answer, from the provider's own figures or from the model's prices."""

from django.conf import settings

from chat.generations.result import Result
from chat.lib.catalogue import Model
from chat.quotas.amounts import NOTHING, Amount
from chat.upstream.events import Usage

#: Cloudflare's price per neuron above the free daily allocation, in US dollars.
NEURON_USD = 0.011 / 1000


def cost_usd(model: Model | None, usage: Usage | None) -> float | None:
    """Return the cost in US dollars: by neurons where the provider counted them, else by tokens.

    If an administrator has set the model's prices, they count in any case.

    Return None if neither is known, which is not the same as free.
    """
    if usage is None:
        return None
    if usage.neurons is not None and not (model and model.has_own_price):
        return usage.neurons * NEURON_USD
    return _at_prices(model, usage) if model else None


def amount_of(model: Model | None, usage: Usage) -> Amount:
    """Return tokens, neurons and dollars, as limits count them.

    A model without a configured price must not be free, so it counts at
    `ASSUMED_USD_PER_MILLION_TOKENS`. A price of 0 in the catalogue does count as a price.
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


def spent(
    model: Model | None, prompt_tokens: int, most: Amount | None, used: Amount, result: Result
) -> Amount:
    """Return the cost of an answer that ended with the result `result`.

    That is what earlier requests to the model have `used`, and the last one. A request that failed
    before its first token costs nothing. If the provider reported no usage (such as for an answer
    that was stopped), estimate it from the tokens read and written. The estimate errs on the high
    side but never exceeds `most`, the amount that was reserved, if known.
    """
    last = result.last_request
    if last is None and used != NOTHING and not prompt_tokens:
        return used  # its process died between two requests
    before, usage, written = used, result.usage, result.output_tokens
    if last:
        before, usage, written = last.used_before, last.usage, last.output_tokens
    if usage:
        return used | (before + amount_of(model, usage))
    if result.state == "failed" and not written:
        return used | before
    estimated = used | (before + amount_of(model, usage_of(prompt_tokens, written)))
    return estimated if most is None else estimated & most


def usage_of(prompt_tokens: int, completion_tokens: int) -> Usage:
    """Return a usage with estimated token counts, without neurons."""
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
    """Return the prompt's price; cached tokens count at the cached price, if the model has one."""
    cached = usage.cached_tokens or 0
    return (usage.prompt_tokens - cached) * price + cached * (
        price if cached_price is None else cached_price
    )
