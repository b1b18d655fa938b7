"""Translate what a request says about thinking into a reasoning effort of the model."""

from typing import Any

from msgspec import Struct

#: The least budget of thinking tokens for an effort, the highest first.
BUDGETS = ((16_000, "high"), (4_000, "medium"), (0, "low"))
SHOWN = frozenset({"enabled", "adaptive"})
OFF = frozenset({"disabled", "between_tools"})


class Thinking(Struct):
    type: str = ""
    budget_tokens: int | None = None


class OutputConfig(Struct):
    effort: str | None = None
    format: dict[str, Any] | None = None


def shows_thinking(thinking: Thinking | None) -> bool:
    """Return whether the answer has blocks of thinking: only for programs that asked for it.

    Others often read the first block as the answer.
    """
    return thinking is not None and thinking.type in SHOWN


def wanted_effort(thinking: Thinking | None, effort: str | None) -> str | None:
    """Return the effort that the request asks for; None leaves it to the model."""
    if thinking and thinking.type in OFF:
        return "none"
    if effort:
        return effort
    if thinking and thinking.type == "enabled" and thinking.budget_tokens is not None:
        return next(name for least, name in BUDGETS if thinking.budget_tokens >= least or not least)
    return None
