"""Count the usage of an answer, in tokens and in neurons, the unit that Workers AI bills."""

from dataclasses import dataclass
from typing import Any

from chat.lib.catalogue import Model

USD_PER_NEURON = 0.011 / 1000


@dataclass(slots=True)
class Meter:
    """The running usage of one answer.

    Chunks report what is new since the previous one (`take`), the end reports the sum (`total`).
    """

    model: Model
    prompt_tokens: int
    completion_tokens: int = 0
    cached_tokens: int = 0  # of the prompt tokens

    def take(self, completion_tokens: int = 1) -> dict[str, Any]:
        """Count tokens as generated; return the usage of just these."""
        self.completion_tokens += completion_tokens
        return _usage(self.model, 0, completion_tokens)

    def prompt(self) -> dict[str, Any]:
        return _usage(self.model, self.prompt_tokens, 0, self.cached_tokens)

    def nothing(self) -> dict[str, Any]:
        return _usage(self.model, 0, 0)

    def total(self) -> dict[str, Any]:
        return _usage(self.model, self.prompt_tokens, self.completion_tokens, self.cached_tokens)

    def neurons(self) -> float:
        cost = neurons(self.model, self.prompt_tokens, self.completion_tokens, self.cached_tokens)
        return cost or 0.0


def neurons(
    model: Model, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0
) -> float | None:
    """Return the cost in neurons; None for a model without a known price."""
    input_rate = _neurons_per_million(model.input_neurons_per_million, model.input_usd_per_million)
    output_rate = _neurons_per_million(
        model.output_neurons_per_million, model.output_usd_per_million
    )
    if input_rate is None or output_rate is None:
        return None
    cached_rate = _neurons_per_million(
        model.cached_input_neurons_per_million, model.cached_input_usd_per_million
    )
    saved = cached_tokens * (input_rate - (input_rate if cached_rate is None else cached_rate))
    return (prompt_tokens * input_rate + completion_tokens * output_rate - saved) / 1_000_000


def _neurons_per_million(neurons: float | None, usd: float | None) -> float | None:
    if neurons is not None:
        return neurons
    return None if usd is None else usd / USD_PER_NEURON


def _usage(
    model: Model, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0
) -> dict[str, Any]:
    usage: dict[str, Any] = {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
        "prompt_tokens_details": {"cached_tokens": cached_tokens},
    }
    cost = neurons(model, prompt_tokens, completion_tokens, cached_tokens)
    return usage if cost is None else {**usage, "neurons": cost}
