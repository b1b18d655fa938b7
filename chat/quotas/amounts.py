"""What an answer uses up, in whole numbers: sums of floats would drift away from the truth."""

import math
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Amount:
    tokens: int = 0
    millineurons: int = 0
    microdollars: int = 0

    @classmethod
    def of(cls, tokens: int, neurons: float, dollars: float) -> Self:
        """Rounded up, so that many small answers do not come free."""
        return cls(tokens, math.ceil(neurons * 1000), math.ceil(dollars * 1_000_000))

    def as_tuple(self) -> tuple[int, int, int]:
        return self.tokens, self.millineurons, self.microdollars

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(*(a + b for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(*(a - b for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def __and__(self, other: "Amount") -> "Amount":
        """The smaller of each."""
        return Amount(*(min(a, b) for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def __or__(self, other: "Amount") -> "Amount":
        """The larger of each."""
        return Amount(*(max(a, b) for a, b in zip(self.as_tuple(), other.as_tuple(), strict=True)))


NOTHING = Amount()
