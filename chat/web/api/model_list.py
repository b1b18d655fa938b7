"""Describe models as OpenAI does, with the additions of OpenRouter that clients read."""

from typing import Any

from chat.lib.catalogue import Model

#: OpenAI's models have a date; the catalogue knows none, so all have the same.
CREATED = 1_735_689_600


def model_object(model: Model) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": model.id,
        "object": "model",
        "created": CREATED,
        "owned_by": _owner(model.id),
        "name": model.name,
        "context_length": model.context_window,
    }
    if model.input_usd_per_million is not None and model.output_usd_per_million is not None:
        shown["pricing"] = {
            "prompt": _per_token(model.input_usd_per_million),
            "completion": _per_token(model.output_usd_per_million),
        }
    return shown


def _owner(model_id: str) -> str:
    """Return who made the model: the part before its name."""
    parts = model_id.split("/")
    return parts[-2].lstrip("@") if len(parts) > 1 else "site"


def _per_token(usd_per_million: float) -> str:
    return f"{usd_per_million / 1_000_000:.12f}".rstrip("0").rstrip(".") or "0"
