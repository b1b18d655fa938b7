"""Define what the site knows about a model."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

Family = Literal["native", "openai", "dual"]
#: What a model in the file of embedding models does; empty: it embeds.
TextTask = Literal["", "rerank", "decision", "guard", "moderation"]
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

    `context_window` is the one that the provider enforces; `advertised_window` is what its list
    says, if that differs. `default_max_tokens` is how long the provider lets an answer get if the
    request does not say. `ends_on` is the day on which the provider has announced to retire it.

    `provider` names one of the catalogue's providers; empty: the one in the settings. `id_there` is
    its id at the provider, if that differs. `requests_per_minute` is a limit of this model, beside
    the provider's for all of its models; 0: it has none.

    `task` and `max_texts` are only for the file of embedding models: what the model does, and how
    many texts it takes in a request, if fewer than others.

    The last two are never in a file. With `has_own_price`, its prices count instead of the cost
    that the provider reports. A model that an administrator `switched_off` answers no requests,
    unlike one that is not listed.
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
    lora: bool = False
    paid_only: bool = False
    deprecated: bool = False
    advertised_window: int | None = None
    max_input_tokens: int | None = None
    max_output_tokens: int | None = None
    default_max_tokens: int | None = None
    ends_on: date | None = None
    listed: bool = True
    replaced_by: str = ""
    provider: str = ""
    id_there: str = ""
    requests_per_minute: int = 0
    task: TextTask = ""
    max_texts: int | None = None
    has_own_price: bool = False
    switched_off: bool = False

    @property
    def is_gone(self) -> bool:
        """Return whether the provider has retired it."""
        return self.deprecated or bool(self.replaced_by)

    @property
    def is_offered(self) -> bool:
        return self.listed and not self.is_gone

    @property
    def provider_id(self) -> str:
        """Return the id that its provider knows it by."""
        return self.id_there or self.id

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
