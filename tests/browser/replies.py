"""Generate answers like a model's, of any length, from a seed: prose, lists, tables, code, links."""

import random
import re
from collections.abc import Callable, Iterator

WORDS = [
    "river", "bend", "water", "slow", "stone", "bank", "reading", "room", "light", "quiet",
    "measure", "gauge", "flood", "delta", "spring", "lake", "current", "ferry", "bridge",
    "willow", "heron", "salmon", "gravel", "sand", "clay", "mill", "weir", "lock", "canal",
    "harbour", "tide", "because", "although", "which", "between", "under", "after", "before",
    "without", "and", "or", "but", "the", "a", "of", "in", "on", "with", "for",
]  # fmt: skip
OTHER = (
    "河はゆっくりと流れる",
    "הנהר זורם לאט",
    "يجري النهر ببطء",
    "Река течёт",
    "강은 천천히",
    "🌊 📚 👩‍🔬",
)
CODE = {
    "python": 'def bend(width: float, n: int) -> list[float]:\n    """How far it strays."""\n'
    "    return [width * (-1) ** i for i in range(n)]  # left, right\n",
    "javascript": 'const level = await fetch("/gauge").then((r) => r.json());\n'
    "console.log(`It stands at ${level.metres} m`);\n",
    "sql": "SELECT name, count(*) AS bends\nFROM rivers JOIN bends USING (river_id)\nGROUP BY name;\n",
    "": "plain output\n  indented\n\nafter a blank line\n",
}
TOKEN = re.compile(r"\s?[A-Za-z]{1,5}|\d{1,3}|\s+|[^\w\s]|\w", re.DOTALL)


def tokens(text: str) -> list[str]:
    """Split text into pieces of about the size of tokens."""
    return TOKEN.findall(text)


def reply(count: int, seed: int = 1) -> str:
    """Return an answer of about `count` tokens."""
    return Writer(seed).write(count)


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.parts: list[Callable[[], str]] = [
            self.paragraph, self.paragraph, self.paragraph, self.heading, self.bullets,
            self.numbers, self.loose, self.tasks, self.table, self.code, self.quote, self.other,
        ]  # fmt: skip

    def write(self, count: int) -> str:
        return "\n\n".join(self._parts(count)) + "\n"

    def _parts(self, count: int) -> Iterator[str]:
        written = 0
        while written < count:
            part = self.random.choice(self.parts)()
            written += len(tokens(part))
            yield part

    def words(self, least: int, most: int) -> str:
        chosen = self.random.choices(WORDS, k=self.random.randint(least, most))
        return " ".join(chosen).capitalize()

    def phrase(self) -> str:
        number = self.random.randint(2, 4000)
        return self.random.choice(
            [
                f"**{self.words(1, 3)}**", f"*{self.words(1, 2)}*", f"`{self.random.choice(WORDS)}_{number}()`",
                f"[{self.words(2, 3)}](https://example.org/{number})", f"https://example.org/page/{number}",
                f"***{self.words(1, 2)}***", f"~~{self.words(1, 2)}~~", f"{number} &lt; {number + 1} &amp; more",
                f"**{self.words(1, 2)}:** {self.words(2, 5)}", f"snake_case_{number}", f"{number} * 2 * {number}",
            ]
        )  # fmt: skip

    def sentence(self) -> str:
        inner = f" {self.phrase()}" if self.random.random() < 0.4 else ""
        return f"{self.words(5, 12)}{inner} {self.words(3, 7).lower()}."

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.random.randint(2, 5)))

    def heading(self) -> str:
        return f"{'#' * self.random.randint(1, 4)} {self.words(2, 6)}"

    def bullets(self) -> str:
        lines = []
        for _ in range(self.random.randint(3, 7)):
            lines.append(f"- {self.sentence()}")
            if self.random.random() < 0.3:
                lines += [f"  - {self.sentence()}", f"  - {self.phrase()}"]
        return "\n".join(lines)

    def numbers(self) -> str:
        return "\n".join(f"{n}. {self.sentence()}" for n in range(1, self.random.randint(4, 8)))

    def loose(self) -> str:
        return "\n\n".join(f"- {self.sentence()}\n\n  {self.sentence()}" for _ in range(3))

    def tasks(self) -> str:
        return "\n".join(f"- [{self.random.choice(' x')}] {self.words(3, 6)}" for _ in range(4))

    def table(self) -> str:
        rows = [f"| {self.words(1, 2)} | {self.phrase()} | {n * 37} |" for n in range(3, 8)]
        return "\n".join(["| Name | What | km |", "|:-----|:----:|---:|", *rows])

    def code(self) -> str:
        language, text = self.random.choice(list(CODE.items()))
        return f"```{language}\n{text * self.random.randint(1, 4)}```"

    def quote(self) -> str:
        return f"> {self.sentence()}\n>\n> - {self.sentence()}\n> - {self.phrase()}"

    def other(self) -> str:
        return " ".join(self.random.choices(OTHER, k=3)) + f" {self.sentence()}"


def big_list(count: int) -> str:
    writer = Writer(2)
    return _until(count, lambda: f"- {writer.sentence()}\n")


def big_table(count: int) -> str:
    writer = Writer(3)
    row = lambda: f"| {writer.words(2, 3)} | {writer.phrase()} | {writer.words(3, 5)} |\n"  # noqa: E731
    return "| One | Two | Three |\n|---|---|---|\n" + _until(count, row)


def big_code(count: int) -> str:
    return "```python\n" + _until(count, lambda: CODE["python"]) + "```\n"


def _until(count: int, make: Callable[[], str]) -> str:
    text: list[str] = []
    written = 0
    while written < count:
        text.append(make())
        written += len(tokens(text[-1]))
    return "".join(text)
