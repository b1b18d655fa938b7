"""Count what an answer consumes in whole numbers, because sums of floats drift."""

import math
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens, thousandths of neurons, and millionths of US dollars."""

    tokens: int = 0
    millineurons: int = 0
    microdollars: int = 0

    @classmethod
    def of(cls, tokens: int, neurons: float, dollars: float) -> Self:
        """Return an amount, rounded up so that many small answers are not free."""
        return cls(tokens, _rounded_up(neurons * 1000), _rounded_up(dollars * 1_000_000))

    def as_tuple(self) -> tuple[int, int, int]:
        return self.tokens, self.millineurons, self.microdollars

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(*(a + b for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(*(a - b for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def __and__(self, other: "Amount") -> "Amount":
        """Return the smaller value of each unit."""
        return Amount(*(min(a, b) for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def __or__(self, other: "Amount") -> "Amount":
        """Return the larger value of each unit."""
        return Amount(*(max(a, b) for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))


NOTHING = Amount()


def _rounded_up(number: float) -> int:
    """Round up, but not for an error of floating-point arithmetic."""
    return math.ceil(round(number, 6))
