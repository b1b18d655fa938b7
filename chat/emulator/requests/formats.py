"""Read the requested format of an answer: its stop sequences, and its JSON schema."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from chat.emulator.requests.problems import bad, mismatch
from chat.lib.catalogue import Model

MAX_STOPS = 4


def read_stops(model: Model, document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the stop sequences. Native models support none."""
    value = document.get("stop")
    if value is None or model.family != "openai":
        return ()
    stops = [value] if isinstance(value, str) else value
    if not isinstance(stops, list) or not all(isinstance(each, str) and each for each in stops):
        mismatch("/stop", value, "string")
    if len(stops) > MAX_STOPS:
        bad(f"Length of '/stop' must be <= {MAX_STOPS}")
    return tuple(stops)


def read_json_format(model: Model, document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the JSON schema for the answer, an empty one for any JSON; None for text."""
    value = document.get("response_format")
    if value is None:
        return _read_guide(model, document)
    if not isinstance(value, dict):
        mismatch("/response_format", value, "object")
    kind, schema = value.get("type"), value.get("json_schema")
    if kind == "text":
        return None
    if kind == "json_object":
        return {}
    if kind != "json_schema" or not isinstance(schema, dict):
        bad("oneOf at '/response_format' not met, 0 matches")
    if model.family != "openai":
        return dict(schema)  # the bare schema, without OpenAI's wrapper
    if not isinstance(schema.get("name"), str) or not isinstance(schema.get("schema"), dict):
        bad("required properties at '/response_format/json_schema' are 'name,schema'")
    return dict(schema["schema"])


def _read_guide(model: Model, document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema in `guided_json`, which some native models take; None for text."""
    guide = document.get("guided_json")
    if guide is None or model.family == "openai":
        return None
    if not isinstance(guide, dict):
        mismatch("/guided_json", guide, "object")
    return dict(guide)


def until_stop(parts: Iterable[str], stops: tuple[str, ...]) -> Iterable[str]:
    """Return the text of `parts` before the first of `stops`."""
    if not stops:
        return parts
    text = "".join(parts)
    places = [place for stop in stops if (place := text.find(stop)) >= 0]
    return [text[: min(places)] if places else text]


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
