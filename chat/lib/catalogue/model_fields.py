"""Read one model from a table of a catalogue, or from the same values as JSON."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from chat.lib.catalogue.field_checks import (
    Check,
    amount,
    check_fields,
    day,
    flag,
    literal,
    text,
    texts,
    tokens,
    whole_number,
)
from chat.lib.catalogue.model import (
    Family,
    Model,
    ReasoningStyle,
    TextTask,
    ThinkingSwitch,
)


def model_from(entry: Any) -> Model:
    """Return the model that a table describes. Raise ValueError, naming the key."""
    if not isinstance(entry, Mapping):
        raise ValueError("expected a table")
    values = check_fields(entry, _CHECKS, _REQUIRED)
    if not values.get("name"):
        values["name"] = values["id"].rpartition("/")[2]
    if values.get("reasoning") and not values.get("reasoning_style"):
        values["reasoning_style"] = "reasoning_content"
    return Model(**values)


def checked_changes(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked values of some fields of a model. Raise ValueError, naming the key."""
    return check_fields(values, _CHECKS, ())


_CHECKS: dict[str, Check] = {
    "id": text,
    "context_window": tokens,
    "name": text,
    "input_usd_per_million": amount,
    "output_usd_per_million": amount,
    "cached_input_usd_per_million": amount,
    "input_neurons_per_million": amount,
    "output_neurons_per_million": amount,
    "cached_input_neurons_per_million": amount,
    "family": literal(Family),
    "reasoning": flag,
    "reasoning_style": literal(ReasoningStyle),
    "reasoning_efforts": texts,
    "thinking_switch": literal(ThinkingSwitch),
    "tools": flag,
    "vision": flag,
    "lora": flag,
    "paid_only": flag,
    "deprecated": flag,
    "advertised_window": tokens,
    "max_input_tokens": tokens,
    "max_output_tokens": tokens,
    "default_max_tokens": tokens,
    "ends_on": day,
    "listed": flag,
    "replaced_by": text,
    "provider": text,
    "id_there": text,
    "requests_per_minute": whole_number,
    "task": literal(TextTask),
    "max_texts": whole_number,
}
_REQUIRED = [field.name for field in fields(Model) if field.default is MISSING]
