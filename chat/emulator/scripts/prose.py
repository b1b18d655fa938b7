"""Write readable prose of any length, from a grammar that keeps paragraphs different."""

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from chat.emulator.common import tokens

_GRAMMAR: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "texts" / "prose.toml").read_text(encoding="utf-8")
)
_SLOT = re.compile(r"\{(\w+)\}")
_DRAWS_FOR_A_NEW_LINE = 20


class Writer:
    """Write one text without repetition, as long as the grammar has something new."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._written: set[str] = set()

    def chapters(self, token_count: int) -> Iterator[str]:
        """Yield headings and paragraphs of at least so many tokens, up to the end of a sentence."""
        left = token_count
        while left > 0:
            blocks = [f"## {self._line('heading')}\n\n"]
            left -= tokens.count(blocks[0])
            for _ in range(self._rng.randint(2, 4)):
                if left > 0:
                    blocks.append(self.paragraph(min(left, self._rng.randint(60, 130))) + "\n\n")
                    left -= tokens.count(blocks[-1])
            blocks[-1] = blocks[-1] if left > 0 else blocks[-1].rstrip()
            yield from blocks

    def paragraph(self, token_count: int, kind: str = "sentence") -> str:
        """Return complete sentences of at least so many tokens."""
        sentences: list[str] = []
        while token_count > 0:
            sentence = self._line(kind) + "."
            token_count -= tokens.count(f" {sentence}")
            sentences.append(sentence)
        return " ".join(sentences)

    def musings(self, token_count: int) -> str:
        """Return text that reads like a model's reasoning."""
        return self.paragraph(token_count, "musing")

    def _line(self, kind: str) -> str:
        for _ in range(_DRAWS_FOR_A_NEW_LINE):
            line = self._expand(kind)
            if line not in self._written:
                break
        self._written.add(line)
        return _capitalised(line)

    def _expand(self, symbol: str) -> str:
        return _SLOT.sub(lambda slot: self._expand(slot[1]), self._rng.choice(_GRAMMAR[symbol]))


def _capitalised(line: str) -> str:
    first_letter = next(index for index, mark in enumerate(line) if mark.isalpha())
    return line[:first_letter] + line[first_letter].upper() + line[first_letter + 1 :]
