"""Translate the finish reasons of all providers into the four that the site knows, or an error.

Providers document their own names: vLLM, SGLang, TGI, Mistral, DeepSeek, Z.ai, Together, Gemini and
others behind OpenRouter. A reason that is in no list means that the answer may be incomplete, so it
is an error: its text is kept, but the answer never counts as complete.
"""

from typing import Literal, get_args

#: OpenAI's, and so those of the API.
FinishReason = Literal["stop", "length", "content_filter", "tool_calls"]
FINISH_REASONS: tuple[str, ...] = get_args(FinishReason)

_NAMES: dict[FinishReason, str] = {
    "stop": "stop eos eos_token stop_sequence end_turn normal complete completed",
    "length": (
        "length max_tokens max_output_tokens model_length model_context_window_exceeded repetition"
    ),
    "content_filter": (
        "content_filter content_filtered sensitive safety recitation blocklist prohibited_content "
        "spii image_safety refusal guardrail_intervened"
    ),
    "tool_calls": "tool_calls tool_call tool_use function_call",
}
_ERRORS = (
    "error abort aborted cancelled network_error timeout insufficient_system_resource "
    "malformed_function_call unexpected_tool_call function_call_filter"
)
_OUTCOMES: dict[str, FinishReason] = {
    name: outcome for outcome, names in _NAMES.items() for name in names.split()
}
_KNOWN_ERRORS = frozenset(_ERRORS.split())
#: Some send the word for "not finished yet".
_NONE = frozenset({"", "null", "none"})


def is_reason(word: str) -> bool:
    """Return whether `word` says that the answer has ended."""
    return word.lower() not in _NONE


def outcome_of(word: str) -> FinishReason | None:
    """Return the site's name of a provider's finish reason; None if the answer failed."""
    return _OUTCOMES.get(_name(word))


def is_known_error(word: str) -> bool:
    """Return whether a provider documents `word` as the reason of an answer that failed."""
    return _name(word) in _KNOWN_ERRORS


def _name(word: str) -> str:
    """Return the name without its details, as Gemini adds: `content_filter: RECITATION`."""
    return word.partition(":")[0].strip().lower().replace("-", "_")
