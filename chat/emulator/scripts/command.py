"""Define a command of the emulated model, and what it gets."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from chat.emulator.requests.inputs import ChatRequest
from chat.emulator.scripts.prose import Writer
from chat.emulator.scripts.script import Script

MAX_ANSWER_TOKENS = 100_000


@dataclass(frozen=True, slots=True)
class Ask:
    """The input of a command: its arguments, and the request it came with."""

    argument: str
    request: ChatRequest
    times_asked_before: int
    rng: random.Random

    @property
    def writer(self) -> Writer:
        return Writer(self.rng)

    @property
    def word(self) -> str:
        """Return the first word after the command; empty if there is none."""
        return next(iter(self.argument.split(maxsplit=1)), "")

    def number(self, default: int) -> int:
        """Return the number after the command, or the default."""
        digits = self.word[:9]
        return min(int(digits), MAX_ANSWER_TOKENS) if digits.isdecimal() else default

    def after_number(self) -> "Ask":
        """Return the same input without the number."""
        rest = self.argument[len(self.word) :] if self.word.isdecimal() else self.argument
        return replace(self, argument=rest)


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    parameters: str
    description: str
    script: Callable[[Ask], Script]

    @property
    def usage(self) -> str:
        return f"/{self.name} {self.parameters}".rstrip()
