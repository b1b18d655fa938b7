"""Count tokens from usage objects, which have three different meanings.

A final object without `choices` holds the total. Chunks hold increments (they contain `neurons`,
and `prompt_tokens` falls back to 0 after the first) or running totals; which of the two becomes
clear only later.
"""

from typing import Any, TypeVar

from chat.upstream.events import Usage

N = TypeVar("N", int, float)


class UsageCount:
    """The usage of one answer, added up as usage objects arrive."""

    def __init__(self) -> None:
        self._tail: Usage | None = None
        self._sum = Usage()
        self._largest: Usage | None = None
        self._incremental = False

    def add(self, raw: Any, is_tail: bool = False) -> None:
        if not isinstance(raw, dict):
            return
        usage = _read(raw)
        if is_tail:
            self._tail = usage if _is_told(usage) else self._tail
            return
        last = self._largest or usage
        self._incremental |= usage.neurons is not None or usage.prompt_tokens < last.prompt_tokens
        self._sum = _plus(self._sum, usage)
        self._largest = max(last, usage, key=lambda each: each.total_tokens)

    def total(self) -> Usage | None:
        """Return the usage; None if none was reported: a report of nothing would cost nothing."""
        total = self._tail or (self._sum if self._incremental else self._largest)
        return total if total and _is_told(total) else None


def _is_told(usage: Usage) -> bool:
    return bool(usage.total_tokens or usage.neurons)


def _plus(a: Usage, b: Usage) -> Usage:
    prompt = a.prompt_tokens + b.prompt_tokens
    completion = a.completion_tokens + b.completion_tokens
    return Usage(
        prompt,
        completion,
        prompt + completion,
        _sum(a.neurons, b.neurons) or 0.0,
        _sum(a.cached_tokens, b.cached_tokens),
        _sum(a.reasoning_tokens, b.reasoning_tokens),
    )


def _sum(a: N | None, b: N | None) -> N | None:
    """Return the sum of the known values; None if neither is known."""
    return b if a is None else a if b is None else a + b


def _read(raw: dict[str, Any]) -> Usage:
    prompt = _count(raw.get("prompt_tokens", raw.get("input_tokens")))
    completion = _count(raw.get("completion_tokens", raw.get("output_tokens")))
    neurons = _number(raw.get("neurons"))
    total = _count(raw.get("total_tokens")) or prompt + completion
    return Usage(prompt, completion, total, neurons, _cached(raw, prompt), _reasoning(raw))


def _cached(raw: dict[str, Any], prompt_tokens: int) -> int | None:
    """Return the cached prompt tokens: OpenAI's key, that of Responses, or a flat one."""
    for name in ("prompt_tokens_details", "input_tokens_details"):
        details = raw.get(name)
        if isinstance(details, dict) and details.get("cached_tokens") is not None:
            return min(_count(details["cached_tokens"]), prompt_tokens)
    flat = raw.get("cached_tokens", raw.get("prompt_cache_hit_tokens"))
    return None if flat is None else min(_count(flat), prompt_tokens)


def _reasoning(raw: dict[str, Any]) -> int | None:
    """Return the tokens of the reasoning: OpenAI's key, or that of Responses."""
    for name in ("completion_tokens_details", "output_tokens_details"):
        details = raw.get(name)
        if isinstance(details, dict) and details.get("reasoning_tokens") is not None:
            return _count(details["reasoning_tokens"])
    return None


def _count(value: Any) -> int:
    """Return a token count; absurd values count as 0, so that it fits a database column."""
    number = _number(value)
    return int(number) if number is not None and number < 2**31 else 0


def _number(value: Any) -> float | None:
    """Return a finite number ≥ 0, also from a string that kept its spelling; otherwise None."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < float("inf") else None
