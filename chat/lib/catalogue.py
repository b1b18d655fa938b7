"""Read the catalogue of chat models: their names, prices and capabilities.

The data is in a TOML file. The one included describes Workers AI; a site that uses another
OpenAI-compatible server provides its own, in which only `id` and `context_window` are required.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

SHIPPED_FILE = Path(__file__).with_name("workers_ai_models.toml")
SHIPPED_EMBEDDINGS = Path(__file__).with_name("workers_ai_embedding_models.toml")

Family = Literal["native", "openai", "dual"]
ReasoningStyle = Literal["", "reasoning_content", "both", "inline_think"]
ThinkingSwitch = Literal["", "enable_thinking", "thinking", "reasoning_effort"]
#: Reasoning efforts in ascending order, named as in OpenAI's parameter.
ReasoningEffort = Literal["none", "low", "medium", "high"]
REASONING_EFFORTS: tuple[str, ...] = get_args(ReasoningEffort)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A chat model. Unknown prices are None, which is not the same as free.

    Cached prompt tokens cost as much as others unless they have their own price. `max_input_tokens`
    and `max_output_tokens` are for models that limit the two separately. A model that is not
    `listed` answers requests that name its id, but is not offered. If the provider has retired it,
    the model in `replaced_by` answers instead.

    `reasoning_efforts` are the values it accepts as `reasoning_effort`. `thinking_switch` turns
    reasoning off: either that parameter (`"none"`) or one of `chat_template_kwargs` (`false`).
    """

    id: str
    context_window: int
    name: str = ""
    input_usd_per_million: float | None = None
    output_usd_per_million: float | None = None
    cached_input_usd_per_million: float | None = None
    input_neurons_per_million: float | None = None
    output_neurons_per_million: float | None = None
    cached_input_neurons_per_million: float | None = None
    family: Family = "openai"
    reasoning: bool = False
    reasoning_style: ReasoningStyle = ""
    reasoning_efforts: tuple[str, ...] = ()
    thinking_switch: ThinkingSwitch = ""
    tools: bool = False
    vision: bool = False
    paid_only: bool = False
    deprecated: bool = False
    max_input_tokens: int | None = None
    max_output_tokens: int | None = None
    listed: bool = True
    replaced_by: str = ""

    @property
    def is_gone(self) -> bool:
        """Return whether Workers AI has retired it."""
        return self.deprecated or bool(self.replaced_by)

    @property
    def effort_choices(self) -> tuple[str, ...]:
        """Return the efforts it accepts, in ascending order; empty if it has no such setting."""
        known = {*self.reasoning_efforts, *(("none",) if self.thinking_switch else ())}
        return tuple(effort for effort in REASONING_EFFORTS if effort in known)

    @property
    def longest_answer_tokens(self) -> int:
        return self.max_answer_tokens(self.context_window)

    def max_answer_tokens(self, wanted: int, window: int | None = None) -> int:
        """Return the maximum answer length: `wanted`, or less if the model limits it.

        Half of the window is reserved for the prompt.

        `window` replaces the model's context window, if refusals have shown another one.
        """
        window = window or self.context_window
        return min(wanted, window // 2, self.max_output_tokens or wanted)

    def prompt_window(self, answer_tokens: int, window: int | None = None) -> int:
        """Return the window that the prompt and an answer of `answer_tokens` must fit in."""
        window = window or self.context_window
        return min(window, (self.max_input_tokens or window) + answer_tokens)


def read_catalogue(path: Path | None = None) -> dict[str, Model]:
    """Return the models by id, in the file's order.

    Raise ValueError, naming file, entry and key, if the file is not a valid catalogue.
    """
    path = path or SHIPPED_FILE
    entries = _entries(path)
    models: dict[str, Model] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            model = _model(entry)
            if model.id in models:
                raise ValueError("id: listed twice")
        except ValueError as error:
            raise ValueError(f"{path}: model {number} ({_label(entry)}): {error}") from None
        models[model.id] = model
    for model in models.values():
        if model.replaced_by and not _is_offered(models.get(model.replaced_by)):
            raise ValueError(f"{path}: {model.id}: replaced_by: not a model on offer")
    return models


def _is_offered(model: Model | None) -> bool:
    return model is not None and model.listed and not model.is_gone


def _entries(path: Path) -> list[Any]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from None
    entries = document.pop("models", None)
    if document:
        raise ValueError(f"{path}: {next(iter(document))}: unknown key, expected [[models]]")
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"{path}: models: expected at least one [[models]] entry")
    return entries


def _label(entry: Any) -> str:
    return str(entry.get("id", "no id")) if isinstance(entry, Mapping) else "not a table"


def _model(entry: Any) -> Model:
    if not isinstance(entry, Mapping):
        raise ValueError("expected a table")
    for key in entry:
        if key not in _CHECKS:
            raise ValueError(f"{key}: unknown key")
    for key in _REQUIRED:
        if key not in entry:
            raise ValueError(f"{key}: missing")
    values: dict[str, Any] = {key: _CHECKS[key](key, value) for key, value in entry.items()}
    if not values.get("name"):
        values["name"] = values["id"].rpartition("/")[2]
    if values.get("reasoning") and not values.get("reasoning_style"):
        values["reasoning_style"] = "reasoning_content"
    return Model(**values)


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key}: expected text, not {value!r}")
    return value


def _tokens(key: str, value: Any) -> int:
    if type(value) is not int or value < 1:
        raise ValueError(f"{key}: expected a whole number of tokens, not {value!r}")
    return value


def _amount(key: str, value: Any) -> float:
    # bool is an int to Python; `true` as a price is a mistake
    if type(value) not in (int, float) or not 0 <= value < float("inf"):
        raise ValueError(f"{key}: expected a number of 0 or more, not {value!r}")
    return float(value)


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{key}: expected true or false, not {value!r}")
    return value


def _family(key: str, value: Any) -> str:
    return _one_of(key, value, get_args(Family))


def _reasoning_style(key: str, value: Any) -> str:
    return _one_of(key, value, get_args(ReasoningStyle))


def _thinking_switch(key: str, value: Any) -> str:
    return _one_of(key, value, get_args(ThinkingSwitch))


def _efforts(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
        raise ValueError(f"{key}: expected a list of texts, not {value!r}")
    return tuple(value)


def _one_of(key: str, value: Any, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"{key}: expected one of {', '.join(map(repr, allowed))}, not {value!r}")
    return str(value)


_CHECKS: dict[str, Callable[[str, Any], object]] = {
    "id": _text,
    "context_window": _tokens,
    "name": _text,
    "input_usd_per_million": _amount,
    "output_usd_per_million": _amount,
    "cached_input_usd_per_million": _amount,
    "input_neurons_per_million": _amount,
    "output_neurons_per_million": _amount,
    "cached_input_neurons_per_million": _amount,
    "family": _family,
    "reasoning": _flag,
    "reasoning_style": _reasoning_style,
    "reasoning_efforts": _efforts,
    "thinking_switch": _thinking_switch,
    "tools": _flag,
    "vision": _flag,
    "paid_only": _flag,
    "deprecated": _flag,
    "max_input_tokens": _tokens,
    "max_output_tokens": _tokens,
    "listed": _flag,
    "replaced_by": _text,
}
_REQUIRED = [field.name for field in fields(Model) if field.default is MISSING]
